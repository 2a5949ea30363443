package dev.leasehold.internal.quorum;

import dev.leasehold.internal.concurrent.SelfTimedAnswer;
import dev.leasehold.internal.concurrent.SerialExecutor;
import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.quorum.Grantors.Grantor;
import dev.leasehold.internal.script.QuorumRequest;
import dev.leasehold.internal.store.AcquireHold;
import dev.leasehold.internal.store.AnswerFuture;
import dev.leasehold.internal.store.ReleaseHold;
import dev.leasehold.internal.store.ServerTime;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.Timer;
import dev.leasehold.spi.TransportException;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One try to acquire a lock on a quorum, and the resulting hold. It has a unique id on the servers, so that a late copy
 * of another try, or of an acquire after its release, is never taken for it.
 *
 * <p>The protocol:
 *
 * <ol>
 *   <li>The acquire is sent to all servers at once. Each server that grants reports in the same step whether it may
 *       have forgotten holds; if so, it does not count.
 *   <li>The token is the lowest that exceeds all tokens ever issued: at least as high as those that some majority has
 *       issued.
 *   <li>The lock is held when a majority counts that knows the token. Usually this is so immediately, because a server
 *       that issued this token or a higher one knows it. Otherwise a second round writes the token to the servers that
 *       issued a lower one. Only servers that granted count as knowing the token, so that the next acquisition there
 *       gets a higher one.
 *   <li>Servers that usually answer about as fast as the majority did are awaited for a grace period, because a server
 *       whose answer arrives later counts only from the next renewal on.
 *   <li>If no majority can grant any more, the hold is released everywhere, as soon as the answers tell whether the lock is busy.
 * </ol>
 *
 * <p>All state except the set of servers is changed only in the serial executor.
 */
final class QuorumHold {

    /** Half of the largest distance that a token floor may be ahead of a server's clock, in us. */
    private static final long FAR_BEHIND_MICROS = 1_000_000;

    private final Quorum quorum;
    private final AcquireHold request;
    private final AcquisitionId id;
    private final CompletableFuture<AcquireHold.Answer> result = new SelfTimedAnswer<>();
    private final SerialExecutor executor = new SerialExecutor();
    private final AtomicReference<ServerSet> servers = new AtomicReference<>(ServerSet.NONE);
    private final long startedAt;
    private final long timeoutNanos;
    private final int failedTries;
    private final Grantors grantors;
    private final QuorumRelease quorumRelease;
    private Timer.@Nullable Timeout graceTimer;
    private long graceNanos;
    private boolean graceOver;
    private Phase phase = Phase.ACQUIRING;
    private long token;
    private @Nullable RuntimeException refused;
    private @Nullable String foreign;

    private enum Phase {
        ACQUIRING,
        RAISING,
        HELD,
        RELEASED
    }

    /**
     * Creates a try; nothing is sent.
     *
     * @param id identifies this try among all tries of the request
     * @param onReleased called once, when all servers have confirmed the release or the hold has ended by itself
     */
    QuorumHold(Quorum quorum, AcquireHold request, AcquisitionId id, int failedTries, Consumer<QuorumHold> onReleased) {
        this.quorum = quorum;
        this.request = request;
        this.id = id;
        this.failedTries = failedTries;
        this.grantors = new Grantors(quorum.majority());
        this.startedAt = quorum.parts().time().nanoTime();
        this.timeoutNanos = Majority.nodeTimeout(
                quorum.parts().nodeTimeoutNanos(), request.lease().nanos(), request.timeoutNanos());
        this.quorumRelease = new QuorumRelease(quorum, this, request.key(), onReleased);
    }

    /** Returns the id that the engine gave to the acquisition, in all its tries. */
    AcquisitionId acquisition() {
        return request.id();
    }

    /** Returns the id of this hold on the servers. */
    AcquisitionId id() {
        return id;
    }

    int failedTries() {
        return failedTries;
    }

    ServerSet servers() {
        return Objects.requireNonNull(servers.get());
    }

    void change(UnaryOperator<ServerSet> change) {
        servers.updateAndGet(change);
    }

    /** Runs a task that changes the state. */
    void run(Runnable task) {
        executor.execute(task);
    }

    /** Sends the acquire to all servers. */
    CompletableFuture<AcquireHold.Answer> begin() {
        executor.execute(() -> {
            for (Node node : quorum.nodes()) {
                grantors.add(node, node.at(request.key(), startedAt + timeoutNanos));
            }
            try (FanOut all = new FanOut(quorum.parts(), timeoutNanos)) {
                grantors.forEach(one -> acquire(all, one));
            }
            decide();
        });
        return result;
    }

    private void acquire(FanOut all, Grantor one) {
        QuorumParts parts = quorum.parts();
        all.send(
                one.node,
                new QuorumRequest.Acquire(
                        request.key(),
                        id,
                        request.lease(),
                        one.notAfter,
                        request.floor(),
                        request.holder(),
                        parts.marker(),
                        parts.longest(),
                        timeoutNanos),
                handler(answer -> acquired(one, answer), failure -> notAcquired(one, failure)));
    }

    private void acquired(Grantor one, QuorumRequest.Acquired answer) {
        one.resolved = true;
        one.mayStillGrant = false;
        switch (answer.code()) {
            case GRANTED, YOUNG -> {
                one.granted = true;
                one.joined = answer.code() == QuorumRequest.Acquiring.GRANTED;
                one.youngNanos = answer.forgetsNanos();
                one.leftNanos = answer.leftNanos();
                one.token = answer.token();
                if (phase == Phase.RAISING) {
                    raise(one);
                } else if (phase == Phase.HELD && one.joined) {
                    change(before -> before.grantedLate(one.node.index()));
                }
            }
            case BUSY -> {
                one.busy = true;
                one.leftNanos = answer.leftNanos();
            }
            case CLOCK -> {
                one.clockBehind = true;
                one.token = answer.token();
            }
            case EXHAUSTED -> {
                one.exhausted = true;
                one.token = answer.token();
            }
            case FOREIGN -> foreign = answer.detail();
            case OTHER -> refused = quorum.otherLongest(one.node, answer.detail());
            case UNMARKED -> refused = quorum.foreignMarker(one.node, answer.detail());
            case STALE, ENDED -> {}
        }
        if (phase == Phase.HELD) {
            raiseIfFarBehind(one);
        }
    }

    private void notAcquired(Grantor one, RuntimeException failure) {
        one.resolved = true;
        one.mayStillGrant = !(failure instanceof TransportException silence) || silence.maybeExecuted();
        if (failure instanceof RedisErrorException) {
            refused = failure;
        }
    }

    /**
     * Asks the servers that granted, but did not count because they may have forgotten holds, whether they count now.
     */
    void retryJoin() {
        executor.execute(() -> {
            if (phase == Phase.HELD) {
                grantors.forEach(one -> {
                    if (one.granted && !one.joining && !one.joined) {
                        join(one);
                    }
                });
            }
        });
    }

    private void join(Grantor one) {
        one.joining = true;
        one.node.send(
                new QuorumRequest.Join(quorum.parts().marker(), quorum.parts().longest(), timeoutNanos),
                handler(answer -> joined(one, answer), failure -> one.joining = false));
    }

    private void joined(Grantor one, QuorumRequest.Joined answer) {
        one.joining = false;
        if (answer.code() == QuorumRequest.Joining.JOINED && !one.joined) {
            one.joined = true;
            if (phase == Phase.HELD) {
                change(before -> before.grantedLate(one.node.index()));
            }
        }
    }

    /** Writes the token to a server that counts and does not know it. */
    private void raise(Grantor one) {
        if (one.counts() && !one.knows(token) && !one.raising) {
            write(one);
        }
    }

    private void write(Grantor one) {
        one.raising = true;
        one.node.send(
                new QuorumRequest.Raise(request.key(), token, timeoutNanos),
                handler(
                        answer -> {
                            one.raising = false;
                            one.raised = answer.code() == QuorumRequest.Raising.RAISED;
                        },
                        failure -> one.raising = false));
    }

    /** Handles answers and failures, and then checks for a decision. */
    private <A> AnswerHandler<A> handler(Consumer<A> onAnswer, Consumer<RuntimeException> onFailure) {
        Consumer<A> deciding = answer -> {
            try {
                onAnswer.accept(answer);
            } catch (RuntimeException e) {
                onFailure.accept(AnswerFuture.unreadable(e));
            }
            decide();
        };
        return new AnswerHandler<>(
                executor,
                deciding,
                failure -> {
                    onFailure.accept(failure);
                    decide();
                },
                deciding);
    }

    private void decide() {
        if (phase == Phase.ACQUIRING) {
            if (!grantors.enoughMayCount()) {
                // With a server down, the first answers may exclude a grant before a majority has answered.
                if (!grantors.mayStillTellWhy()) {
                    refuse();
                }
            } else if (grantors.enoughCount() && !awaitFastAnswers()) {
                startRaising();
            }
        }
        if (phase == Phase.RAISING) {
            if (grantors.enoughKnow(token)) {
                grant();
            } else if (!grantors.enoughMayKnow(token)) {
                refuse();
            }
        }
    }

    /** Waits for servers that usually answer about as fast as the majority did. Returns whether one is outstanding. */
    private boolean awaitFastAnswers() {
        if (graceOver || grantors.count(one -> !one.resolved) == 0) {
            return false;
        }
        if (graceTimer == null) {
            graceNanos = Majority.gracePeriod(quorum.parts().time().nanoTime() - startedAt);
        }
        if (grantors.count(one -> !one.resolved && one.node.answersWithin(graceNanos)) == 0) {
            return false;
        }
        if (graceTimer == null) {
            graceTimer = quorum.parts()
                    .timer()
                    .schedule(() -> quorum.parts().run(() -> run(this::endGracePeriod)), graceNanos);
        }
        return true;
    }

    private void endGracePeriod() {
        if (phase == Phase.ACQUIRING) {
            graceOver = true;
            grantors.forEach(one -> {
                if (!one.resolved) {
                    one.node.markSlow();
                }
            });
            decide();
        }
    }

    private void startRaising() {
        phase = Phase.RAISING;
        if (graceTimer != null) {
            graceTimer.cancel();
        }
        token = grantors.token();
        if (!grantors.enoughKnow(token)) {
            grantors.forEach(this::raise);
        }
    }

    private void grant() {
        phase = Phase.HELD;
        long confirmed = grantors.counting();
        change(before -> before.grantedBy(confirmed));
        answer(AcquireHold.Code.GRANTED, grantors.validNanos(), token, "");
        grantors.forEach(this::raiseIfFarBehind);
    }

    /**
     * Writes the token to a server far behind it. This lease does not need that. But the token is the floor of this
     * client's next try, which the server would refuse.
     */
    private void raiseIfFarBehind(Grantor one) {
        if (one.clockBehind || (one.counts() && !one.raised && one.token < token - FAR_BEHIND_MICROS)) {
            write(one);
        }
    }

    private void refuse() {
        startRelease();
        if (foreign != null) {
            answer(AcquireHold.Code.FOREIGN, 0, 0, foreign);
        } else if (grantors.busy()) {
            result.complete(grantors.busyAnswer(quorum.timeAt(startedAt), quorum.pause(failedTries, startedAt)));
        } else if (grantors.clocksBehind()) {
            answer(AcquireHold.Code.CLOCK, 0, grantors.lastToken(), "");
        } else if (grantors.exhausted()) {
            answer(AcquireHold.Code.EXHAUSTED, 0, grantors.lastToken(), "");
        } else {
            result.completeExceptionally(refused != null ? refused : grantors.tooFew());
        }
    }

    private void answer(AcquireHold.Code code, long leftNanos, long granted, String found) {
        result.complete(new AcquireHold.Answer(code, quorum.timeAt(startedAt), leftNanos, granted, found));
    }

    private void startRelease() {
        phase = Phase.RELEASED;
        grantors.forEach(one -> {
            if (one.mayStillGrant || one.granted) {
                quorumRelease.add(one.node, one.mayStillGrant ? one.notAfter : ServerTime.NONE);
            }
        });
        quorumRelease.begin();
    }

    /** Abandons the try or the hold, and releases it on all servers. */
    void abandon() {
        executor.execute(this::abandonNow);
    }

    private void abandonNow() {
        if (phase != Phase.RELEASED) {
            startRelease();
            result.completeExceptionally(new TransportException("the acquisition was cancelled", true, null));
        }
    }

    /** Releases the hold for its holder; returns the outcome. */
    CompletableFuture<ReleaseHold.Answer> release(long askedAt) {
        CompletableFuture<ReleaseHold.Answer> released = new SelfTimedAnswer<>();
        executor.execute(() -> {
            abandonNow();
            quorumRelease.addCaller(released, askedAt);
        });
        return released;
    }
}
