/** The rules by which histories are judged. */
@NullMarked
package dev.leasehold.chaos.check;

import org.jspecify.annotations.NullMarked;
