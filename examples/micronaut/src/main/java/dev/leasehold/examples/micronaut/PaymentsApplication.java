package dev.leasehold.examples.micronaut;

import io.micronaut.runtime.Micronaut;

/** The application; {@code redis.uri} says where Redis is. */
public final class PaymentsApplication {

    private PaymentsApplication() {}

    /**
     * Starts an instance.
     *
     * @param args properties, such as {@code -redis.uri=redis://localhost:6379}
     */
    public static void main(String[] args) {
        Micronaut.run(PaymentsApplication.class, args);
    }
}
