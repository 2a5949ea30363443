/** TODO */
@NullMarked
package dev.leasehold.internal.lock;

import org.jspecify.annotations.NullMarked;
