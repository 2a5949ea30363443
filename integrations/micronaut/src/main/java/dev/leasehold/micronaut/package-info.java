/**
 * Methods of Micronaut's beans that run under a lock, {@link dev.leasehold.annotation.Lock}, and a
 * {@link dev.leasehold.Leasehold} bean, configured by {@link dev.leasehold.micronaut.LeaseholdConfiguration}.
 * {@code leasehold.enabled=false} switches all of it off. A listener that is created with the
 * {@link dev.leasehold.LeaseholdBuilder} bean changes settings that have no property.
 */
@Configuration
@Requires(property = "leasehold.enabled", notEquals = "false", defaultValue = "true")
@NullMarked
package dev.leasehold.micronaut;

import io.micronaut.context.annotation.Configuration;
import io.micronaut.context.annotation.Requires;
import org.jspecify.annotations.NullMarked;
