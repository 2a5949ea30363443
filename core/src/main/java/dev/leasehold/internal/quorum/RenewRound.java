package dev.leasehold.internal.quorum;

import dev.leasehold.internal.concurrent.SerialExecutor;
import dev.leasehold.internal.script.QuorumScripts;
import dev.leasehold.internal.script.RenewScript;
import dev.leasehold.spi.ScriptCall;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One round of renewal, of one hold or of many. A round only extends: a server that no longer has the hold never counts
 * again. A hold is renewed when a majority extended it, among the servers that counted before the round. It is lost
 * when so many servers report it missing that no majority is left.
 *
 * <p>Answers that arrive after the outcome still update the set of servers that have the hold.
 */
final class RenewRound {

    private final Quorum quorum;
    private final ScriptCall call;
    private final List<Entry> entries = new ArrayList<>();
    private final CompletableFuture<List<String>> result = new CompletableFuture<>();
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

        @Nullable
        String code;

        String detail = "";

        Entry(@Nullable QuorumHold hold) {
            this.hold = hold;
            this.lateAtBegin = hold == null ? 0 : hold.servers().late();
        }
    }

    RenewRound(Quorum quorum, ScriptCall call, List<@Nullable QuorumHold> holds) {
        this.quorum = quorum;
        this.call = call;
        this.startedAt = quorum.parts().time().nanoTime();
        holds.forEach(hold -> entries.add(new Entry(hold)));
    }

    private boolean single() {
        return call.script().name().equals(RenewScript.SCRIPT.name());
    }

    CompletableFuture<List<String>> begin() {
        // Shorter than the caller's timeout; otherwise the caller would never get the outcome.
        long timeout = call.timeoutNanos() / 10 * 9;
        List<String> ids = entries.stream()
                .map(entry -> entry.hold == null ? "-" : entry.hold.id())
                .toList();
        ScriptCall each =
                single() ? QuorumScripts.renew(call, ids.get(0), timeout) : QuorumScripts.renewMany(call, ids, timeout);
        for (Entry entry : entries) {
            if (entry.hold != null) {
                entry.hold.retryJoin();
            }
        }
        executor.execute(() -> {
            open = quorum.nodes().size();
            try (FanOut all = new FanOut(quorum.parts(), timeout)) {
                quorum.nodes().forEach(node -> all.sendInBackground(node, each, handler(node.index())));
            }
            decide();
        });
        return result;
    }

    private Node.ReplyHandler handler(int node) {
        return new Node.ReplyHandler() {
            @Override
            public void answered(List<String> reply) {
                executor.execute(() -> {
                    open--;
                    received(node, reply);
                });
            }

            @Override
            public void failed(RuntimeException failure) {
                executor.execute(() -> {
                    open--;
                    decide();
                });
            }

            @Override
            public void answeredLate(List<String> reply) {
                executor.execute(() -> received(node, reply));
            }
        };
    }

    private void received(int node, List<String> reply) {
        try {
            List<RenewScript.Answer> answers = QuorumScripts.renewed(call, reply);
            for (int i = 0; i < entries.size(); i++) {
                received(entries.get(i), node, answers.get(i));
            }
        } finally {
            decide();
        }
    }

    private void received(Entry entry, int node, RenewScript.Answer answer) {
        QuorumHold hold = entry.hold;
        if (hold == null) {
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
            if (entry.code == null) {
                decide(entry);
            }
        }
        if (!result.isDone() && (open == 0 || entries.stream().allMatch(entry -> entry.code != null))) {
            answer();
        }
    }

    private void decide(Entry entry) {
        QuorumHold hold = entry.hold;
        if (hold == null) {
            entry.code = "gone";
            entry.detail = "free";
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
            entry.code = "renewed";
            entry.detail = Long.toString(majority.validFor(left) / 1000);
            entry.renewed = true;
            confirmLateServers(entry, hold);
        } else if (!majority.reached(ServerSet.count(confirmed))) {
            entry.code = "gone";
            entry.detail = entry.taken ? "taken" : "free";
            // The remaining holds on the other servers would keep all clients out.
            hold.abandon();
        }
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

    private void answer() {
        if (single()) {
            Entry entry = entries.get(0);
            if (entry.code == null) {
                result.completeExceptionally(quorum.noMajority(entry.counting));
            } else {
                result.complete(quorum.reply(entry.code, startedAt, entry.detail));
            }
            return;
        }
        List<String> words = new ArrayList<>();
        for (Entry entry : entries) {
            words.add(entry.code == null ? "failed" : entry.code);
            words.add(
                    entry.code == null
                            ? "NOQUORUM " + quorum.noMajority(entry.counting).getMessage()
                            : entry.detail);
        }
        result.complete(quorum.reply("each", startedAt, words.toArray(new String[0])));
    }
}
