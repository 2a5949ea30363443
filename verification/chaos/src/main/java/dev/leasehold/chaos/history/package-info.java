/** What processes write down, and how it is read again. */
@NullMarked
package dev.leasehold.chaos.history;

import org.jspecify.annotations.NullMarked;
