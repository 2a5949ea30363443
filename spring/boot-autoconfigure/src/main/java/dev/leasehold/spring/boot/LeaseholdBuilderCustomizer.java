package dev.leasehold.spring.boot;

import dev.leasehold.LeaseholdBuilder;

/** Changes settings that have no property. Beans of this type are called in their order before the client is built. */
@FunctionalInterface
public interface LeaseholdBuilderCustomizer {

    /**
     * Changes the builder, after the properties were applied.
     *
     * @param builder the builder of the application's client
     */
    void customize(LeaseholdBuilder builder);
}
