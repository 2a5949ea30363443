/** A report that is written once a night by one of several instances, under ShedLock; and what replaces calls of other libraries. */
@NullMarked
package dev.leasehold.examples.shedlock;

import org.jspecify.annotations.NullMarked;
