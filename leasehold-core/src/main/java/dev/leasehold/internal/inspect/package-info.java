/** TODO */
@NullMarked
package dev.leasehold.internal.inspect;

import org.jspecify.annotations.NullMarked;
