/** The Spring examples of the handbook. */
@NullMarked
package dev.leasehold.examples.spring;

import org.jspecify.annotations.NullMarked;
