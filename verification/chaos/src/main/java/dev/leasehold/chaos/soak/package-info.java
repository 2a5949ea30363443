/** What a long run samples, and how growth is judged. */
@NullMarked
package dev.leasehold.chaos.soak;

import org.jspecify.annotations.NullMarked;
