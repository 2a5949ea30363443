/** The adapter to the HTTP server of the JDK, and its security. */
@NullMarked
package dev.leasehold.console.internal.http;

import org.jspecify.annotations.NullMarked;
