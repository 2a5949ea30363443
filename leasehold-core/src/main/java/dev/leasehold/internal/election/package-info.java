/** TODO */
@NullMarked
package dev.leasehold.internal.election;

import org.jspecify.annotations.NullMarked;
