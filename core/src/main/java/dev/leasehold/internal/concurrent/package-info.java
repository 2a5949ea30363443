/** Work that runs one piece after another, without a lock or a thread of its own. It uses nothing; begin with {@code SerialLoop}. */
@NullMarked
package dev.leasehold.internal.concurrent;

import org.jspecify.annotations.NullMarked;
