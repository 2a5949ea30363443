/** Lock names, and the keys under which Redis stores them. */
@NullMarked
package dev.leasehold.internal.key;

import org.jspecify.annotations.NullMarked;
