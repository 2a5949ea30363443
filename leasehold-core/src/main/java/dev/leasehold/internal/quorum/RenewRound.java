package dev.leasehold.internal.quorum;

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
 * One round of renewal, of one hold or of many. It only ever extends: a server that does not have the hold any more does not
 * count again. A hold is renewed when a majority extended of those that counted before the round; it is lost when so many say
 * that they do not have it that no majority is left.
 *
 * <p>Answers that come after the outcome still tell who has the hold.
 */
final class RenewRound {

    private final QuorumTransport quorum;
    private final ScriptCall call;
    private final List<Entry> entries = new ArrayList<>();
    private final CompletableFuture<List<String>> result = new CompletableFuture<>();
    private final SerialExecutor mailbox = new SerialExecutor();
    private final long begunAt;
    private int open;

    /** One hold. */
    private static final class Entry {
        final @Nullable QuorumHold attempt;
        final long lateAtBegin;
        final Map<Integer, Long> leftNanos = new HashMap<>();
        /** How many have extended of those that count. */
        int counting;

        boolean taken;
        boolean renewed;

        @Nullable
        String code;

        String detail = "";

        Entry(@Nullable QuorumHold attempt) {
            this.attempt = attempt;
            this.lateAtBegin = attempt == null ? 0 : attempt.members().late();
        }
    }

    RenewRound(QuorumTransport quorum, ScriptCall call, List<@Nullable QuorumHold> attempts) {
        this.quorum = quorum;
        this.call = call;
        this.begunAt = quorum.parts().time().nanoTime();
        attempts.forEach(attempt -> entries.add(new Entry(attempt)));
    }

    private boolean single() {
        return call.script().name().equals(RenewScript.SCRIPT.name());
    }

    CompletableFuture<List<String>> begin() {
        // Sooner than the caller, who would hear of nothing else.
        long timeout = call.timeoutNanos() / 10 * 9;
        List<String> ids = entries.stream()
                .map(entry -> entry.attempt == null ? "-" : entry.attempt.id())
                .toList();
        ScriptCall each =
                single() ? QuorumScripts.renew(call, ids.get(0), timeout) : QuorumScripts.renewMany(call, ids, timeout);
        for (Entry entry : entries) {
            if (entry.attempt != null) {
                entry.attempt.joinAgain();
            }
        }
        mailbox.run(() -> {
            open = quorum.nodes().size();
            try (FanOut all = new FanOut(quorum.parts(), timeout)) {
                quorum.nodes().forEach(node -> all.askInBackground(node, each, hearer(node.index())));
            }
            decide();
        });
        return result;
    }

    private Node.Hearer hearer(int node) {
        return new Node.Hearer() {
            @Override
            public void answered(List<String> reply) {
                mailbox.run(() -> {
                    open--;
                    heard(node, reply);
                });
            }

            @Override
            public void failed(RuntimeException failure) {
                mailbox.run(() -> {
                    open--;
                    decide();
                });
            }

            @Override
            public void answeredLate(List<String> reply) {
                mailbox.run(() -> heard(node, reply));
            }
        };
    }

    private void heard(int node, List<String> reply) {
        try {
            List<RenewScript.Answer> answers = QuorumScripts.renewed(call, reply);
            for (int i = 0; i < entries.size(); i++) {
                heard(entries.get(i), node, answers.get(i));
            }
        } finally {
            decide();
        }
    }

    private void heard(Entry entry, int node, RenewScript.Answer answer) {
        QuorumHold attempt = entry.attempt;
        if (attempt == null) {
            return;
        }
        switch (answer.code()) {
            case RENEWED, ASKED -> {
                if (answer.leftNanos() > 0) {
                    entry.leftNanos.put(node, answer.leftNanos());
                    if (entry.renewed) {
                        grow(entry, attempt);
                    }
                }
            }
            case GONE, ENDED, FOREIGN -> {
                entry.taken |= answer.detail().equals("taken");
                attempt.change(before -> before.without(node));
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
        QuorumHold attempt = entry.attempt;
        if (attempt == null) {
            entry.code = "gone";
            entry.detail = "free";
            return;
        }
        long confirmed = attempt.members().confirmed();
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
            entry.detail = Long.toString(majority.lasting(left) / 1000);
            entry.renewed = true;
            grow(entry, attempt);
        } else if (!majority.reached(ServerSet.count(confirmed))) {
            entry.code = "gone";
            entry.detail = entry.taken ? "taken" : "free";
            // What the others still have of it would keep everybody out.
            attempt.leave();
        }
    }

    /** Who was heard late before this round began, and extended in it, counts from now on. */
    private static void grow(Entry entry, QuorumHold attempt) {
        long extended = 0;
        for (int node : entry.leftNanos.keySet()) {
            extended |= ServerSet.bit(node);
        }
        long those = extended;
        attempt.change(before -> before.afterRound(those, entry.lateAtBegin));
    }

    private void answer() {
        if (single()) {
            Entry entry = entries.get(0);
            if (entry.code == null) {
                result.completeExceptionally(quorum.noMajority(entry.counting));
            } else {
                result.complete(quorum.reply(entry.code, begunAt, entry.detail));
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
        result.complete(quorum.reply("each", begunAt, words.toArray(new String[0])));
    }
}
