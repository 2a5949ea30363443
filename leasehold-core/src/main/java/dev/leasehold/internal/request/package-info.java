/** TODO */
@NullMarked
package dev.leasehold.internal.request;

import org.jspecify.annotations.NullMarked;
