package dev.leasehold.internal.time;

import dev.leasehold.spi.TimeSource;

/** The machine's clocks. */
public final class SystemTime implements TimeSource {

    /** The one shared instance; it has no state. */
    public static final SystemTime INSTANCE = new SystemTime();

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public long wallMillis() {
        return System.currentTimeMillis();
    }
}
