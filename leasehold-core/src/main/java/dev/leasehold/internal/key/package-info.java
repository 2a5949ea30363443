/** Names of locks and the keys they are kept under. */
@NullMarked
package dev.leasehold.internal.key;

import org.jspecify.annotations.NullMarked;
