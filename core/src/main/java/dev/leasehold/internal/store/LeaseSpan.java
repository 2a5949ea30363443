package dev.leasehold.internal.store;

/** How long a hold shall last from the moment Redis reads the request. */
public record LeaseSpan(long nanos) {

    /** Asks for no more than there is: a mere confirmation. */
    public static final LeaseSpan CONFIRM = new LeaseSpan(0);
}
