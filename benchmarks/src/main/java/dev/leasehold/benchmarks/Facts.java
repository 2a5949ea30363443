package dev.leasehold.benchmarks;

import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;

/** The time and the sources of a measurement. */
final class Facts {

    private Facts() {}

    static String dateAndCommit() {
        return today() + ", commit " + System.getProperty("leasehold.benchmarks.commit", "unknown");
    }

    static String today() {
        return LocalDate.now(ZoneOffset.UTC).toString();
    }

    static String seconds(Duration time) {
        return time.toMillis() % 1000 == 0 ? time.toSeconds() + " s" : time.toMillis() + " ms";
    }
}
