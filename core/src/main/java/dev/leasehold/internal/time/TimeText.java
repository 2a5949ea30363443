package dev.leasehold.internal.time;

import java.time.Duration;
import java.util.Locale;

/** Durations for people, in messages and logs. */
public final class TimeText {

    private static final double MICROS_PER_MILLI = 1_000;
    private static final double MICROS_PER_SECOND = 1_000_000;
    private static final long SHORT_MICROS = 10_000;
    private static final long LONG_MICROS = 10_000_000;

    private TimeText() {}

    /** Returns a duration in ms with one decimal below 10 ms, in whole ms below 10 s, and above in seconds with one decimal. */
    public static String of(Duration duration) {
        return ofMicros(duration.toNanos() / 1_000);
    }

    /** Returns the same for microseconds. */
    public static String ofMicros(long micros) {
        if (micros < SHORT_MICROS) {
            return String.format(Locale.ROOT, "%.1f ms", micros / MICROS_PER_MILLI);
        }
        return micros < LONG_MICROS
                ? micros / 1_000 + " ms"
                : String.format(Locale.ROOT, "%.1f s", micros / MICROS_PER_SECOND);
    }
}
