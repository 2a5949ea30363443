/** What can be read about locks and servers: holders, tokens, and the findings of the preflight. */
@NullMarked
package dev.leasehold.inspect;

import org.jspecify.annotations.NullMarked;
