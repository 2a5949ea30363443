package dev.leasehold.internal.quorum;

import dev.leasehold.internal.concurrent.SelfTimedAnswer;
import dev.leasehold.internal.concurrent.SerialExecutor;
import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.store.EntryResult;
import dev.leasehold.internal.store.RenewHold;
import dev.leasehold.internal.store.RenewHolds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One round of renewal, of one hold or of many. A round only extends: a server that no longer has the hold never counts
 * again. A hold is renewed when a majority extended it, among the servers that counted before the round. It is lost
 * when so many servers report it missing that no majority is left.
 *
 * <p>Answers that arrive after the outcome still update the set of servers that have the hold.
 */
final class RenewRound {

    /** The id of no hold, for an entry whose hold is unknown. */
    private static final AcquisitionId NO_HOLD = new AcquisitionId("-");

    private final Quorum quorum;
    private final RenewHolds request;
    private final List<Entry> entries = new ArrayList<>();
    private final CompletableFuture<RenewHolds.Answer> result = new SelfTimedAnswer<>();
    private final SerialExecutor executor = new SerialExecutor();
    private final long startedAt;
    private int open;

    /** The renewal of one hold. */
    private static final class Entry {
        final @Nullable QuorumHold hold;
        final long lateAtBegin;
        final Map<Integer, Long> leftNanos = new HashMap<>();
        /** The number of counting servers that have extended the hold. */
        int counting;

        boolean taken;
        boolean renewed;

        RenewHold.@Nullable Answer answer;

        Entry(@Nullable QuorumHold hold) {
            this.hold = hold;
            this.lateAtBegin = hold == null ? 0 : hold.servers().late();
        }
    }

    /** Creates a round; the holds are found by the ids that the engine gave to them. */
    RenewRound(Quorum quorum, RenewHolds request, Function<AcquisitionId, @Nullable QuorumHold> holds) {
        this.quorum = quorum;
        this.request = request;
        this.startedAt = quorum.parts().time().nanoTime();
        request.entries().forEach(entry -> entries.add(new Entry(holds.apply(entry.id()))));
    }

    CompletableFuture<RenewHolds.Answer> begin() {
        RenewHolds each = requestToEach();
        for (Entry entry : entries) {
            if (entry.hold != null) {
                entry.hold.retryJoin();
            }
        }
        executor.execute(() -> {
            open = quorum.nodes().size();
            try (FanOut all = new FanOut(quorum.parts(), each.timeoutNanos())) {
                quorum.nodes().forEach(node -> all.sendInBackground(node, each, handler(node.index())));
            }
            decide();
        });
        return result;
    }

    private RenewHolds requestToEach() {
        List<RenewHolds.Entry> onServers = new ArrayList<>();
        for (int i = 0; i < entries.size(); i++) {
            QuorumHold hold = entries.get(i).hold;
            onServers.add(new RenewHolds.Entry(request.entries().get(i).key(), hold == null ? NO_HOLD : hold.id()));
        }
        // Shorter than the caller's timeout; otherwise the caller would never get the outcome.
        return new RenewHolds(request.lease(), onServers, request.timeoutNanos() / 10 * 9);
    }

    private AnswerHandler<RenewHolds.Answer> handler(int node) {
        return new AnswerHandler<>(
                executor,
                answer -> {
                    open--;
                    received(node, answer);
                },
                failure -> {
                    open--;
                    decide();
                },
                answer -> received(node, answer));
    }

    private void received(int node, RenewHolds.Answer answer) {
        try {
            for (int i = 0; i < entries.size(); i++) {
                received(entries.get(i), node, answer.results().get(i).answer());
            }
        } finally {
            decide();
        }
    }

    private static void received(Entry entry, int node, RenewHold.@Nullable Answer answer) {
        QuorumHold hold = entry.hold;
        if (hold == null || answer == null) {
            // A server that could not answer for this hold says nothing about it.
            return;
        }
        switch (answer.code()) {
            case RENEWED, ASKED -> {
                if (answer.leftNanos() > 0) {
                    entry.leftNanos.put(node, answer.leftNanos());
                    if (entry.renewed) {
                        confirmLateServers(entry, hold);
                    }
                }
            }
            case GONE, ENDED, FOREIGN -> {
                entry.taken |= answer.detail().equals("taken");
                hold.change(before -> before.without(node));
            }
        }
    }

    private void decide() {
        for (Entry entry : entries) {
            if (entry.answer == null) {
                decide(entry);
            }
        }
        if (!result.isDone() && (open == 0 || entries.stream().allMatch(entry -> entry.answer != null))) {
            result.complete(new RenewHolds.Answer(
                    quorum.timeAt(startedAt),
                    entries.stream().map(this::resultOf).toList()));
        }
    }

    private void decide(Entry entry) {
        QuorumHold hold = entry.hold;
        if (hold == null) {
            entry.answer = answer(RenewHold.Code.GONE, 0, "free");
            return;
        }
        long confirmed = hold.servers().confirmed();
        List<Long> left = new ArrayList<>();
        entry.leftNanos.forEach((node, nanos) -> {
            if ((confirmed & ServerSet.bit(node)) != 0) {
                left.add(nanos);
            }
        });
        entry.counting = left.size();
        Majority majority = quorum.majority();
        if (majority.reached(left.size())) {
            entry.answer = answer(RenewHold.Code.RENEWED, majority.validFor(left), "");
            entry.renewed = true;
            confirmLateServers(entry, hold);
        } else if (!majority.reached(ServerSet.count(confirmed))) {
            entry.answer = answer(RenewHold.Code.GONE, 0, entry.taken ? "taken" : "free");
            // The remaining holds on the other servers would keep all clients out.
            hold.abandon();
        }
    }

    private RenewHold.Answer answer(RenewHold.Code code, long leftNanos, String detail) {
        return new RenewHold.Answer(code, quorum.timeAt(startedAt), leftNanos, detail);
    }

    /** Counts servers from now on that granted late, before this round began, and extended in it. */
    private static void confirmLateServers(Entry entry, QuorumHold hold) {
        long extended = 0;
        for (int node : entry.leftNanos.keySet()) {
            extended |= ServerSet.bit(node);
        }
        long servers = extended;
        hold.change(before -> before.afterRound(servers, entry.lateAtBegin));
    }

    private EntryResult<RenewHold.Answer> resultOf(Entry entry) {
        RenewHold.Answer answer = entry.answer;
        return answer == null ? EntryResult.failed(quorum.noMajority(entry.counting)) : EntryResult.of(answer);
    }
}
