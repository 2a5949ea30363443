/** TODO */
@NullMarked
package dev.leasehold.internal.dispatch;

import org.jspecify.annotations.NullMarked;
