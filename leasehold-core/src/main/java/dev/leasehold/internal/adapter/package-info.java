/** What adapters to Redis clients have in common. */
@NullMarked
package dev.leasehold.internal.adapter;

import org.jspecify.annotations.NullMarked;
