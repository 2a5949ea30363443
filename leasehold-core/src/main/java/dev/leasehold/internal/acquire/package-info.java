/** TODO */
@NullMarked
package dev.leasehold.internal.acquire;

import org.jspecify.annotations.NullMarked;
