/** Code shared by the adapters to Redis clients. */
@NullMarked
package dev.leasehold.internal.adapter;

import org.jspecify.annotations.NullMarked;
