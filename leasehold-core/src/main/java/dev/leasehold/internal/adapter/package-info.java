/** What adapters to Redis clients that answer on the caller's thread have in common. */
@NullMarked
package dev.leasehold.internal.adapter;

import org.jspecify.annotations.NullMarked;
