package dev.leasehold.simulation.mutant;

import java.util.List;

/** Deliberate bugs that show only where two features meet, in seeds that draw each feature for itself. */
final class MeetingMutants {

    private MeetingMutants() {}

    static List<Mutant> all() {
        return List.of(mutant(
                "a release frees the lock before its minimum hold is over",
                40_000_002,
                "MinimumHold.java",
                "least.toNanos() - (now - record.grantedAt())",
                "0"));
    }

    private static Mutant mutant(String name, long seed, String file, String find, String replace) {
        return new Mutant(name, seed, 1, List.of(new Edit(file, find, replace)));
    }
}
