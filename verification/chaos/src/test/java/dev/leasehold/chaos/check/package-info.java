/** Each rule sees what is planted. */
@NullMarked
package dev.leasehold.chaos.check;

import org.jspecify.annotations.NullMarked;
