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
                        3,
                        "ReplicatedSender.java",
                        "if (acknowledged != null && acknowledged >= TooFewAcknowledged.wanted(durability)) {",
                        "if (acknowledged != null) {"),
                mutant(
                        "a renewal counts before a replica has it",
                        REPLICATED,
                        3,
                        "ReplicatedRenewal.java",
                        "if (renewal == null || renewal.lease().equals(LeaseSpan.CONFIRM)) {",
                        "if (renewal == null || !renewal.lease().equals(LeaseSpan.CONFIRM)) {"),
                mutant(
                        "an extension counts before a replica has it",
                        REPLICATED,
                        3,
                        "RenewOperation.java",
                        "requestedNanos <= 0 ? Durability.none() : record.options().durability(),",
                        "Durability.none(),"),
                mutant(
                        "a lock that no replica has is handed off to a lease that waits for replicas",
                        REPLICATED,
                        40,
                        "LocalQueueEntry.java",
                        "                && !options.durability().enabled()\n                && !from.durable()\n",
                        ""),
                mutant(
                        "a repeated acquire writes nothing, so that WAIT on a new connection counts for nothing",
                        REPLICATED,
                        40,
                        "attempt.lua",
                        "  keep_for(attempt, math.max(ends, others_end))\n  attempt.token",
                        "  attempt.token"),
                mutant(
                        "a resumed lease waits for no replica",
                        REPLICATED,
                        40,
                        "ResumeOperation.java",
                        "return new Step.Send<>(request, now, true, record.options().durability(), this::answered);",
                        "return new Step.Send<>(request, now, true, dev.leasehold.Durability.none(), this::answered);"));
    }

    static List<Mutant> quorum() {
        return List.of(
                mutant(
                        "a server that may have forgotten holds counts",
                        QUORUM,
                        10,
                        "QuorumHold.java",
                        "one.joined = answer.code() == QuorumRequest.Acquiring.GRANTED;",
                        "one.joined = true;"),
                mutant(
                        "a server of a quorum that has restarted counts again at once",
                        QUORUM,
                        10,
                        "marker.lua",
                        "if age >= tonumber(longest) then",
                        "if age >= 0 then"),
                mutant(
                        "the token is the lowest that any server gave",
                        QUORUM,
                        10,
                        "Majority.java",
                        "return given.stream().sorted().skip(needed() - 1L)",
                        "return given.stream().sorted()"),
                new Mutant(
                        "no majority learns the token",
                        QUORUM,
                        10,
                        List.of(
                                new Edit("QuorumHold.java", "            grantors.forEach(this::raise);\n", ""),
                                new Edit(
                                        "QuorumHold.java",
                                        "if (grantors.enoughKnow(token)) {\n                grant();",
                                        "if (grantors.enoughCount()) {\n                grant();"))),
                mutant(
                        "a grant that arrives late counts at once",
                        QUORUM,
                        10,
                        "ServerSet.java",
                        "? this : new ServerSet(confirmed, late | bit, dropped);",
                        "? this : new ServerSet(confirmed | bit, late, dropped);"),
                mutant(
                        "a grant that arrives late never counts",
                        QUORUM,
                        10,
                        "ServerSet.java",
                        "long grown = extended & lateAtBegin & late & ~dropped;",
                        "long grown = 0;"),
                mutant(
                        "any server that extends counts for a renewal",
                        QUORUM,
                        10,
                        "RenewRound.java",
                        "if ((confirmed & ServerSet.bit(node)) != 0) {",
                        "if (confirmed >= 0) {"),
                mutant(
                        "a renewal by fewer than a majority counts",
                        QUORUM,
                        10,
                        "RenewRound.java",
                        "if (majority.reached(left.size())) {",
                        "if (majority.reached(left.size() + 1)) {"),
                mutant(
                        "a server that lost the hold can count again",
                        QUORUM,
                        10,
                        "ServerSet.java",
                        "new ServerSet(confirmed & ~bit, late & ~bit, dropped | bit);",
                        "new ServerSet(confirmed & ~bit, late & ~bit, dropped);"),
                mutant(
                        "a hold is abandoned when one server has lost it",
                        QUORUM,
                        10,
                        "RenewRound.java",
                        "} else if (!majority.reached(ServerSet.count(confirmed))) {",
                        "} else if (ServerSet.count(confirmed) < majority.nodes()) {"),
                mutant(
                        "a try in vain is not released",
                        QUORUM,
                        10,
                        "QuorumHold.java",
                        "        startRelease();\n        if (foreign != null) {",
                        "        if (foreign != null) {"),
                mutant(
                        "a late copy of an acquire is granted after its release",
                        QUORUM,
                        10,
                        "QuorumHold.java",
                        "grantors.add(node, node.at(startedAt + timeoutNanos));",
                        "grantors.add(node, new ServerTime(1L << 52));"));
    }

    private static Mutant mutant(String name, long from, int within, String file, String find, String replace) {
        return new Mutant(name, from, within, List.of(new Edit(file, find, replace)));
    }
}
