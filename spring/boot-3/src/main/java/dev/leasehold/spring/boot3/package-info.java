/** The class that differs between Spring Boot 3.5 and later versions, which have moved the health indicators. */
@NullMarked
package dev.leasehold.spring.boot3;

import org.jspecify.annotations.NullMarked;
