/**
 * A report that one of several instances writes each night under ShedLock, and the replacements of calls of other
 * libraries.
 */
@NullMarked
package dev.leasehold.examples.shedlock;

import org.jspecify.annotations.NullMarked;
