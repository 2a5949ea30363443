/** The Spring examples of the README. */
@NullMarked
package dev.leasehold.examples.spring;

import org.jspecify.annotations.NullMarked;
