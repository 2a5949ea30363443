package dev.leasehold.simulation;

/**
 * The clock of one server of a quorum.
 *
 * @param offsetMicros by how much it is ahead at the beginning
 * @param ppm by how many millionths it is too fast
 */
record ServerClock(World world, long offsetMicros, long ppm) {

    private static final long NANOS_PER_MICRO = 1000;
    private static final long PER_MILLION = 1_000_000;

    long micros() {
        long passed = world.now() / NANOS_PER_MICRO;
        return Server.EPOCH_MICROS + offsetMicros + passed + passed * ppm / PER_MILLION;
    }

    /** Converts a span of this clock to true time, in ns. */
    long trueSpan(long micros) {
        return micros * NANOS_PER_MICRO - micros * NANOS_PER_MICRO / PER_MILLION * ppm;
    }
}
