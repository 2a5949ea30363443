package dev.leasehold.internal.quorum;

import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.store.ReleaseHold;
import dev.leasehold.internal.store.ServerTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Releases a hold on every server that has it or may have it. For servers that do not answer, repeats the release until
 * they do or the hold has ended by itself. All methods are called in the serial executor of the hold.
 */
final class QuorumRelease {

    private static final long FIRST_RETRY_NANOS = 20_000_000;
    private static final int MAX_DOUBLINGS = 6;
    private static final long NANOS_PER_MICRO = 1000;

    private final Quorum quorum;
    private final Consumer<QuorumHold> onReleased;
    private final QuorumHold hold;
    private final LockKey key;
    private final List<Release> releases = new ArrayList<>();
    private final List<Caller> callers = new ArrayList<>();
    private long deadline;
    private boolean over;

    private enum Outcome {
        OPEN,
        RELEASED,
        GONE,
        TAKEN,
        ENDED
    }

    /** The release on one server. */
    private static final class Release {
        final Node node;
        /**
         * The latest time at which the server may grant a delayed copy of the acquire; NONE if there is no such copy.
         */
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

    /** A caller that waits for the outcome, and the failures of each server at the time of its call. */
    private record Caller(CompletableFuture<ReleaseHold.Answer> result, long askedAt, List<Integer> failures) {

        void answer(Quorum quorum, ReleaseHold.Code code, String detail) {
            result.complete(new ReleaseHold.Answer(code, quorum.timeAt(askedAt), detail));
        }
    }

    QuorumRelease(Quorum quorum, QuorumHold hold, LockKey key, Consumer<QuorumHold> onReleased) {
        this.onReleased = onReleased;
        this.quorum = quorum;
        this.hold = hold;
        this.key = key;
    }

    /** Adds a server that has the hold, or may grant it until the given time. */
    void add(Node node, ServerTime notAfter) {
        releases.add(new Release(node, notAfter));
    }

    void begin() {
        QuorumParts parts = quorum.parts();
        deadline = parts.time().nanoTime() + parts.longest().nanos() + 2 * parts.commandNanos();
        try (FanOut all = new FanOut(parts, parts.nodeTimeoutNanos())) {
            for (Release one : releases) {
                // Sent on the connection of the acquire, not of renewals, because a caller waits for it.
                all.send(one.node, release(one), handler(one));
            }
        }
        answerCallers();
    }

    void addCaller(CompletableFuture<ReleaseHold.Answer> result, long askedAt) {
        callers.add(new Caller(
                result, askedAt, releases.stream().map(one -> one.failures).toList()));
        answerCallers();
    }

    private ReleaseHold release(Release one) {
        // It is not lean: the server then reports its time, which decides whether the release is repeated.
        QuorumParts parts = quorum.parts();
        return new ReleaseHold(key, hold.id(), parts.longest(), false, one.notAfter, parts.nodeTimeoutNanos());
    }

    private void sendAgain(Release one) {
        if (quorum.parts().time().nanoTime() - deadline >= 0) {
            one.over = true;
            answerCallers();
            return;
        }
        one.node.sendInBackground(release(one), handler(one));
    }

    private AnswerHandler<ReleaseHold.Answer> handler(Release one) {
        return new AnswerHandler<>(
                hold::run,
                answer -> onAnswer(one, answer),
                failure -> onFailure(one),
                answer -> recordOutcome(one, answer));
    }

    private void onAnswer(Release one, ReleaseHold.Answer answer) {
        recordOutcome(one, answer);
        long missing = one.notAfter.micros() - answer.now().micros();
        if (missing >= 0) {
            // A delayed copy of the acquire may still arrive: repeat the release once that copy would be stale.
            retryLater(one, missing * NANOS_PER_MICRO + FIRST_RETRY_NANOS);
        } else {
            one.over = true;
        }
        answerCallers();
    }

    private void recordOutcome(Release one, ReleaseHold.Answer answer) {
        if (one.outcome != Outcome.OPEN) {
            return;
        }
        one.outcome = switch (answer.code()) {
            case RELEASED -> Outcome.RELEASED;
            case ENDED -> Outcome.ENDED;
            // An earlier release got no answer, but must have released the hold.
            case GONE, FOREIGN ->
                one.unanswered ? Outcome.RELEASED : answer.detail().equals("taken") ? Outcome.TAKEN : Outcome.GONE;
        };
        answerCallers();
    }

    private void onFailure(Release one) {
        one.unanswered = true;
        one.failures++;
        retryLater(one, FIRST_RETRY_NANOS << Math.min(one.failures, MAX_DOUBLINGS));
        answerCallers();
    }

    private void retryLater(Release one, long delayNanos) {
        quorum.parts().runAfter(() -> hold.run(() -> sendAgain(one)), delayNanos);
    }

    private void answerCallers() {
        callers.removeIf(this::complete);
        if (!over && releases.stream().allMatch(one -> one.over)) {
            over = true;
            onReleased.accept(hold);
        }
    }

    private boolean complete(Caller caller) {
        int released = count(Outcome.RELEASED);
        int gone = count(Outcome.GONE) + count(Outcome.TAKEN) + count(Outcome.ENDED);
        if (quorum.majority().reached(released)) {
            caller.answer(quorum, ReleaseHold.Code.RELEASED, "");
        } else if (gone > quorum.majority().spare() || open() == 0) {
            if (count(Outcome.ENDED) == gone) {
                caller.answer(quorum, ReleaseHold.Code.ENDED, "");
            } else {
                caller.answer(quorum, ReleaseHold.Code.GONE, count(Outcome.TAKEN) > 0 ? "taken" : "free");
            }
        } else if (allTried(caller)) {
            caller.result.completeExceptionally(quorum.noMajority(released));
        }
        return caller.result.isDone();
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
