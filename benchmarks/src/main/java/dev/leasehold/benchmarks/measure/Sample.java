package dev.leasehold.benchmarks.measure;

/**
 * The costs of one round of one subject, of all threads together.
 *
 * @param pairs the number of pairs of acquire and release
 * @param nanos the length of the round
 * @param clientCpuNanos the CPU time of this JVM, its compiler and garbage collector included
 * @param allocatedBytes the bytes that its threads allocated
 * @param server the server's counters
 * @param p99Nanos the time that 99 of 100 pairs do not exceed; NaN if single pairs were not timed
 */
public record Sample(
        long pairs, long nanos, long clientCpuNanos, long allocatedBytes, ServerStats server, double p99Nanos) {

    /** Creates a sample whose single pairs were not timed. */
    public Sample(long pairs, long nanos, long clientCpuNanos, long allocatedBytes, ServerStats server) {
        this(pairs, nanos, clientCpuNanos, allocatedBytes, server, Double.NaN);
    }

    /** Returns pairs a second. */
    public double rate() {
        return pairs * 1e9 / nanos;
    }

    /** Returns the CPU time of the client per pair, in microseconds. */
    public double clientMicros() {
        return clientCpuNanos / 1e3 / pairs;
    }

    /** Returns the CPU time of the server per pair, in microseconds. */
    public double serverMicros() {
        return server.cpuMicros() / pairs;
    }

    /** Returns the bytes allocated per pair. */
    public double bytes() {
        return (double) allocatedBytes / pairs;
    }

    /** Returns the time that 99 of 100 pairs do not exceed, in microseconds. */
    public double p99Micros() {
        return p99Nanos / 1e3;
    }
}
