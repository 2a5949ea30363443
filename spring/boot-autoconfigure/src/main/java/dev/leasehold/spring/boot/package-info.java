/** Leasehold in a Spring Boot application; see {@link dev.leasehold.spring.boot.LeaseholdProperties}. */
@NullMarked
package dev.leasehold.spring.boot;

import org.jspecify.annotations.NullMarked;
