/** The readable state of locks: holders, waiters and tokens, and the connections of a client. */
@NullMarked
package dev.leasehold.inspect;

import org.jspecify.annotations.NullMarked;
