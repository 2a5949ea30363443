package dev.leasehold.simulation.mutant;

import java.util.List;

/** Deliberate bugs that show only where two features meet, in seeds that draw each feature for itself. */
final class MeetingMutants {

    private MeetingMutants() {}

    static List<Mutant> all() {
        return List.of(
                mutant(
                        "a release frees the lock before its minimum hold is over",
                        40_000_002,
                        "MinimumHold.java",
                        "least.toNanos() - (now - record.grantedAt())",
                        "0"),
                mutant(
                        "a lease is handed off before its minimum hold is over",
                        40_000_043,
                        "ReleaseOperation.java",
                        "handOff.allowed() && mayEnd;",
                        "handOff.allowed();"),
                mutant(
                        "a waiter without an answer asks again only after 3 s",
                        40_000_013,
                        "AcquireTiming.java",
                        "pauseUntil = schedule.retryAfterFailure(now, failures);",
                        "pauseUntil = now + Math.min(schedule.deadline() - now, 3_000_000_000L);"));
    }

    private static Mutant mutant(String name, long seed, String file, String find, String replace) {
        return new Mutant(name, seed, 1, List.of(new Edit(file, find, replace)));
    }
}
