/** TODO */
@NullMarked
package dev.leasehold.internal.release;

import org.jspecify.annotations.NullMarked;
