package dev.leasehold.quarkus;

import dev.leasehold.LeaseholdBuilder;

/**
 * Changes settings that have no property. All beans of this type are called before the client is built, those with the
 * highest {@code @Priority} first.
 */
@FunctionalInterface
public interface LeaseholdBuilderCustomizer {

    /**
     * Changes the builder, after the configuration was applied.
     *
     * @param builder the builder of the application's client
     */
    void customize(LeaseholdBuilder builder);
}
