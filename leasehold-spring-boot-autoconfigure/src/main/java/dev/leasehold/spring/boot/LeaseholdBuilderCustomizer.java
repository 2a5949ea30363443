package dev.leasehold.spring.boot;

import dev.leasehold.LeaseholdBuilder;

/** A bean of this type says what properties cannot: it is called before the client is built, in the order of the beans. */
@FunctionalInterface
public interface LeaseholdBuilderCustomizer {

    /**
     * Changes the builder, after the properties were applied.
     *
     * @param builder the builder of the application's client
     */
    void customize(LeaseholdBuilder builder);
}
