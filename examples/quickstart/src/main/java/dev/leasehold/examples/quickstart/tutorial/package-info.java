/** The programs of {@code docs/tutorial/first-lock.md}. */
@NullMarked
package dev.leasehold.examples.quickstart.tutorial;

import org.jspecify.annotations.NullMarked;
