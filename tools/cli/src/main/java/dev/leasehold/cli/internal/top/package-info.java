/** The live view of {@code leasehold top}: a model, its drawing as lines of text, and the terminal. */
@NullMarked
package dev.leasehold.cli.internal.top;

import org.jspecify.annotations.NullMarked;
