/** TODO */
@NullMarked
package dev.leasehold.internal.renew;

import org.jspecify.annotations.NullMarked;
