/** An application that sells numbered tickets, none twice, in any number of processes. */
@NullMarked
package dev.leasehold.examples.quarkus;

import org.jspecify.annotations.NullMarked;
