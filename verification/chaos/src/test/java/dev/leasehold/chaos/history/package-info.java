/** What was written is read. */
@NullMarked
package dev.leasehold.chaos.history;

import org.jspecify.annotations.NullMarked;
