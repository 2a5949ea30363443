package dev.leasehold.internal.quorum;

import dev.leasehold.internal.script.QuorumScripts;
import dev.leasehold.internal.script.ReleaseScript;
import dev.leasehold.internal.script.ServerTime;
import dev.leasehold.spi.ScriptCall;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Gives a hold back on every server that has it or may have it: also on those that did not answer, again and again until they
 * do, or the hold has ended by itself. All methods are called in the mailbox of the attempt.
 */
final class QuorumRelease {

    private static final long FIRST_RETRY_NANOS = 20_000_000;
    private static final int MOST_DOUBLINGS = 6;
    private static final long NANOS_PER_MICRO = 1000;

    private final QuorumTransport quorum;
    private final QuorumHold attempt;
    private final String key;
    private final List<Release> releases = new ArrayList<>();
    private final List<Caller> callers = new ArrayList<>();
    private long giveUpAt;

    private enum Outcome {
        OPEN,
        RELEASED,
        GONE,
        TAKEN,
        ENDED
    }

    /** What is done about one server. */
    private static final class Release {
        final Node node;
        /** Until when it may grant a copy of the acquire; NONE if there is none. */
        final ServerTime notAfter;

        Outcome outcome = Outcome.OPEN;
        boolean unanswered;
        int failures;
        boolean over;

        Release(Node node, ServerTime notAfter) {
            this.node = node;
            this.notAfter = notAfter;
        }
    }

    /** Who wants to know, and how often each server had failed by then. */
    private record Caller(CompletableFuture<List<String>> told, long askedAt, List<Integer> failures) {}

    QuorumRelease(QuorumTransport quorum, QuorumHold attempt, String key) {
        this.quorum = quorum;
        this.attempt = attempt;
        this.key = key;
    }

    /** This server has the hold, or may until then. */
    void add(Node node, ServerTime notAfter) {
        releases.add(new Release(node, notAfter));
    }

    void begin() {
        QuorumParts parts = quorum.parts();
        giveUpAt = parts.time().nanoTime() + parts.longest().nanos() + 2 * parts.commandNanos();
        try (FanOut all = new FanOut(parts, parts.nodeTimeoutNanos())) {
            for (Release one : releases) {
                // Behind its acquire, and not on the way of renewals: a caller waits for it.
                all.ask(one.node, release(one), hearer(one));
            }
        }
        judge();
    }

    void tell(CompletableFuture<List<String>> told, long askedAt) {
        callers.add(new Caller(
                told, askedAt, releases.stream().map(one -> one.failures).toList()));
        judge();
    }

    private ScriptCall release(Release one) {
        QuorumParts parts = quorum.parts();
        return QuorumScripts.release(key, attempt.id(), one.notAfter, parts.retention(), parts.nodeTimeoutNanos());
    }

    private void sendAgain(Release one) {
        if (quorum.parts().time().nanoTime() - giveUpAt >= 0) {
            one.over = true;
            judge();
            return;
        }
        one.node.askInBackground(release(one), hearer(one));
    }

    private Node.Hearer hearer(Release one) {
        return new Node.Hearer() {
            @Override
            public void answered(List<String> reply) {
                attempt.run(() -> heard(one, ReleaseScript.parse(reply)));
            }

            @Override
            public void failed(RuntimeException failure) {
                attempt.run(() -> silent(one));
            }

            @Override
            public void answeredLate(List<String> reply) {
                attempt.run(() -> note(one, ReleaseScript.parse(reply)));
            }
        };
    }

    private void heard(Release one, ReleaseScript.Answer answer) {
        note(one, answer);
        long missing = one.notAfter.micros() - answer.now().micros();
        if (missing >= 0) {
            // A copy of the acquire may still come: once more when it is too late for it.
            again(one, missing * NANOS_PER_MICRO + FIRST_RETRY_NANOS);
        } else {
            one.over = true;
        }
        judge();
    }

    private void note(Release one, ReleaseScript.Answer answer) {
        if (one.outcome != Outcome.OPEN) {
            return;
        }
        one.outcome = switch (answer.code()) {
            case RELEASED -> Outcome.RELEASED;
            case ENDED -> Outcome.ENDED;
            // An earlier release got no answer: that was the one that released.
            case GONE, FOREIGN ->
                one.unanswered ? Outcome.RELEASED : answer.detail().equals("taken") ? Outcome.TAKEN : Outcome.GONE;
        };
        judge();
    }

    private void silent(Release one) {
        one.unanswered = true;
        one.failures++;
        again(one, FIRST_RETRY_NANOS << Math.min(one.failures, MOST_DOUBLINGS));
        judge();
    }

    private void again(Release one, long delayNanos) {
        quorum.parts().runAfter(() -> attempt.run(() -> sendAgain(one)), delayNanos);
    }

    private void judge() {
        callers.removeIf(this::answered);
        for (Release one : releases) {
            if (!one.over) {
                return;
            }
        }
        quorum.forget(attempt);
    }

    private boolean answered(Caller caller) {
        int released = count(Outcome.RELEASED);
        int gone = count(Outcome.GONE) + count(Outcome.TAKEN) + count(Outcome.ENDED);
        if (quorum.majority().reached(released)) {
            caller.told.complete(quorum.reply("released", caller.askedAt));
        } else if (gone > quorum.majority().spare() || open() == 0) {
            caller.told.complete(
                    count(Outcome.TAKEN) == 0 && count(Outcome.ENDED) == gone
                            ? quorum.reply("ended", caller.askedAt)
                            : quorum.reply("gone", caller.askedAt, count(Outcome.TAKEN) > 0 ? "taken" : "free"));
        } else if (allTried(caller)) {
            caller.told.completeExceptionally(quorum.noMajority(released));
        }
        return caller.told.isDone();
    }

    private int count(Outcome outcome) {
        int found = 0;
        for (Release one : releases) {
            if (one.outcome == outcome) {
                found++;
            }
        }
        return found;
    }

    private int open() {
        return count(Outcome.OPEN);
    }

    private boolean allTried(Caller caller) {
        for (int i = 0; i < releases.size(); i++) {
            Release one = releases.get(i);
            if (one.outcome == Outcome.OPEN && !one.over && one.failures == caller.failures.get(i)) {
                return false;
            }
        }
        return true;
    }
}
