/** The actions, which change locks. */
@NullMarked
package dev.leasehold.console.internal.act;

import org.jspecify.annotations.NullMarked;
