/** The readable state of locks and servers: holders, tokens, and the findings of the checks. */
@NullMarked
package dev.leasehold.inspect;

import org.jspecify.annotations.NullMarked;
