package dev.leasehold.internal.script;

/** How long a hold shall last from the moment Redis reads the request. */
public record LeaseSpan(long nanos) {

    private static final long NANOS_PER_MICRO = 1000;

    /** Asks for no more than there is: a mere confirmation. */
    public static final LeaseSpan CONFIRM = new LeaseSpan(0);

    String arg() {
        return Long.toString(nanos / NANOS_PER_MICRO);
    }
}
