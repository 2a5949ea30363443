/** TODO */
@NullMarked
package dev.leasehold.internal.wait;

import org.jspecify.annotations.NullMarked;
