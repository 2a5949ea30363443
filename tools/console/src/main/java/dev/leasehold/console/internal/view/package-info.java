/** The JSON of each screen. */
@NullMarked
package dev.leasehold.console.internal.view;

import org.jspecify.annotations.NullMarked;
