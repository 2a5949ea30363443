package dev.leasehold.simulation.mutant;

import java.util.List;

/** Deliberate bugs of waiting for replicas, and of the quorum of several servers. */
final class ServerMutants {

    private static final long REPLICATED = 20_000_001;
    private static final long QUORUM = 30_000_001;

    private ServerMutants() {}

    static List<Mutant> replicas() {
        return List.of(
                mutant(
                        "too few replicas are enough",
                        REPLICATED,
                        1,
                        "ReplicatedSender.java",
                        "if (acknowledged != null && acknowledged >= TooFewAcknowledged.wanted(durability)) {",
                        "if (acknowledged != null) {"),
                mutant(
                        "a renewal counts before a replica has it",
                        REPLICATED,
                        1,
                        "ReplicatedRenewal.java",
                        "if (renewal == null || renewal.lease().equals(LeaseSpan.CONFIRM)) {",
                        "if (renewal == null || !renewal.lease().equals(LeaseSpan.CONFIRM)) {"),
                mutant(
                        "a lock that no replica has is handed off to a lease that waits for replicas",
                        REPLICATED + 1,
                        1,
                        "LocalQueueEntry.java",
                        "                && !options.durability().enabled()\n                && !from.durable()\n",
                        ""),
                mutant(
                        "a repeated acquire writes nothing, so that WAIT on a new connection counts for nothing",
                        REPLICATED + 24,
                        1,
                        "attempt.lua",
                        "  keep_for(attempt, math.max(ends, others_end))\n  return",
                        "  return"));
    }

    static List<Mutant> quorum() {
        return List.of(
                mutant(
                        "a server that may have forgotten holds counts",
                        QUORUM + 3,
                        1,
                        "QuorumHold.java",
                        "one.joined = answer.code() == QuorumRequest.Acquiring.GRANTED;",
                        "one.joined = true;"),
                mutant(
                        "the token is the lowest that any server gave",
                        QUORUM + 32,
                        1,
                        "Majority.java",
                        "return given.stream().sorted().skip(needed() - 1L)",
                        "return given.stream().sorted()"),
                mutant(
                        "a hold is abandoned when one server has lost it",
                        QUORUM + 1,
                        1,
                        "RenewRound.java",
                        "} else if (!majority.reached(ServerSet.count(confirmed))) {",
                        "} else if (ServerSet.count(confirmed) < majority.nodes()) {"),
                new Mutant(
                        "no majority learns the token",
                        QUORUM + 5,
                        1,
                        List.of(
                                new Edit("QuorumHold.java", "            grantors.forEach(this::raise);\n", ""),
                                new Edit(
                                        "QuorumHold.java",
                                        "if (grantors.enoughKnow(token)) {\n                grant();",
                                        "if (grantors.enoughCount()) {\n                grant();"))));
    }

    private static Mutant mutant(String name, long from, int within, String file, String find, String replace) {
        return new Mutant(name, from, within, List.of(new Edit(file, find, replace)));
    }
}
