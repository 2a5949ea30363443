/** The observation of locks and servers: pollers, history and heat. */
@NullMarked
package dev.leasehold.console.internal.observe;

import org.jspecify.annotations.NullMarked;
