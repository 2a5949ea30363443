package dev.leasehold.benchmarks.measure;

/**
 * What one round of one subject took, all threads together.
 *
 * @param pairs how many times a lock was acquired and released
 * @param nanos how long the round lasted
 * @param clientCpuNanos the CPU time of this JVM, its compiler and garbage collector included
 * @param allocatedBytes what its threads allocated
 * @param server what the server did
 */
public record Sample(long pairs, long nanos, long clientCpuNanos, long allocatedBytes, ServerStats server) {

    /** Pairs a second. */
    public double rate() {
        return pairs * 1e9 / nanos;
    }

    /** CPU time of the client per pair, in microseconds. */
    public double clientMicros() {
        return clientCpuNanos / 1e3 / pairs;
    }

    /** CPU time of the server per pair, in microseconds. */
    public double serverMicros() {
        return server.cpuMicros() / pairs;
    }

    /** Bytes allocated per pair. */
    public double bytes() {
        return (double) allocatedBytes / pairs;
    }
}
