/** Events for the JDK's Flight Recorder. */
@NullMarked
package dev.leasehold.internal.jfr;

import org.jspecify.annotations.NullMarked;
