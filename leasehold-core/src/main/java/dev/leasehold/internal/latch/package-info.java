/** TODO */
@NullMarked
package dev.leasehold.internal.latch;

import org.jspecify.annotations.NullMarked;
