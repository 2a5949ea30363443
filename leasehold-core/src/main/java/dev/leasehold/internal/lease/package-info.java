/** TODO */
@NullMarked
package dev.leasehold.internal.lease;

import org.jspecify.annotations.NullMarked;
