package dev.leasehold.internal.check;

import dev.leasehold.diagnostics.Finding;
import dev.leasehold.diagnostics.Finding.Level;
import dev.leasehold.internal.lease.Validity;
import dev.leasehold.internal.time.TimeText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Judges clocks by readings that are only so exact. Pure arithmetic. */
final class ClockSkew {

    /** A host tells its wall clock in milliseconds. */
    private static final long HOST_ERROR_MICROS = 1_000;

    private static final long HOST_TOLERANCE_MICROS = 1_000_000;

    private ClockSkew() {}

    /** Two servers and the difference of their clocks. */
    private record Pair(ClockReading ahead, ClockReading behind) {

        long micros() {
            return ahead.aheadMicros() - behind.aheadMicros();
        }

        long error() {
            return ahead.errorMicros() + behind.errorMicros();
        }

        long atLeast() {
            return micros() - error();
        }

        long atMost() {
            return micros() + error();
        }
    }

    /**
     * Compares servers that may take over each other's locks: the ends of leases are points in time, and move with the
     * locks.
     *
     * @param lease the lease time
     */
    static List<Finding> amongFailoverServers(List<ClockReading> readings, Duration lease) {
        Pair worst = worst(readings);
        if (worst == null) {
            return List.of();
        }
        long allowed = Validity.drift(lease.toNanos()) / 1_000;
        if (worst.atLeast() <= allowed) {
            return List.of(agree(readings.size(), atMost(readings)));
        }
        return List.of(new Finding(
                worst.atLeast() > lease.toNanos() / 1_000 ? Level.DANGER : Level.WARNING,
                "clocks",
                "The clock of " + worst.ahead().server() + " is " + TimeText.ofMicros(worst.micros())
                        + " ahead of that of "
                        + worst.behind().server() + ", measured to within " + TimeText.ofMicros(worst.error())
                        + "; leases of " + TimeText.of(lease) + " allow for " + TimeText.ofMicros(allowed)
                        + ". When the first takes over locks of the second they end before their holders know; the other way "
                        + "round they last longer, and fencing tokens may fall.",
                "Keep the clocks of all servers together, and slew them instead of stepping."));
    }

    /** Compares the servers of a quorum, each of which uses only its own clock. */
    static List<Finding> amongQuorumServers(List<ClockReading> readings) {
        Pair worst = worst(readings);
        if (worst == null) {
            return List.of();
        }
        if (worst.atLeast() <= HOST_TOLERANCE_MICROS) {
            return List.of(agree(readings.size(), atMost(readings)));
        }
        return List.of(new Finding(
                Level.FINE,
                "clocks",
                "The clock of " + worst.ahead().server() + " is " + TimeText.ofMicros(worst.micros())
                        + " ahead of that of "
                        + worst.behind().server() + ", measured to within " + TimeText.ofMicros(worst.error())
                        + "; each server of a quorum uses only its own.",
                ""));
    }

    /** Compares all servers with this host, on whose clock no lease depends. */
    static List<Finding> againstHost(List<ClockReading> readings) {
        ClockReading worst = null;
        for (ClockReading each : readings) {
            if (worst == null || Math.abs(each.aheadMicros()) > Math.abs(worst.aheadMicros())) {
                worst = each;
            }
        }
        if (worst == null) {
            return List.of();
        }
        long error = worst.errorMicros() + HOST_ERROR_MICROS;
        if (Math.abs(worst.aheadMicros()) - error <= HOST_TOLERANCE_MICROS) {
            return List.of(new Finding(
                    Level.FINE, "clock", "The clocks of Redis and of this host agree within a second.", ""));
        }
        return List.of(new Finding(
                Level.WARNING,
                "clock",
                "The clocks of Redis and of this host differ by " + Math.abs(worst.aheadMicros()) / 1_000
                        + " ms (" + worst.server() + (worst.aheadMicros() < 0 ? " is behind" : " is ahead")
                        + ", measured to within " + TimeText.ofMicros(error)
                        + "). Leases do not depend on it, but people who compare logs do.",
                "Keep both synchronized."));
    }

    private static Finding agree(int servers, long within) {
        return new Finding(
                Level.FINE,
                "clocks",
                "The clocks of the " + servers + " servers agree within " + TimeText.ofMicros(within) + ".",
                "");
    }

    /** Returns all pairs in both orders. */
    private static List<Pair> pairs(List<ClockReading> readings) {
        List<Pair> pairs = new ArrayList<>();
        for (int i = 0; i < readings.size(); i++) {
            for (int j = 0; j < readings.size(); j++) {
                if (i != j) {
                    pairs.add(new Pair(readings.get(i), readings.get(j)));
                }
            }
        }
        return pairs;
    }

    /** Returns the pair with the largest certain difference; null if there is only one clock. */
    private static @Nullable Pair worst(List<ClockReading> readings) {
        return pairs(readings).stream()
                .max(Comparator.comparingLong(Pair::atLeast))
                .orElse(null);
    }

    private static long atMost(List<ClockReading> readings) {
        return pairs(readings).stream().mapToLong(Pair::atMost).max().orElse(0);
    }
}
