package dev.leasehold.internal.quorum;

import dev.leasehold.internal.concurrent.SerialExecutor;
import dev.leasehold.internal.quorum.Grantors.Grantor;
import dev.leasehold.internal.script.QuorumScripts;
import dev.leasehold.internal.script.ServerTime;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.ScriptCall;
import dev.leasehold.spi.Timer;
import dev.leasehold.spi.TransportException;
import java.util.List;
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
 *   <li>If no majority is possible any more, the hold is released everywhere immediately.
 * </ol>
 *
 * <p>All state except the set of servers is changed only in the serial executor.
 */
final class QuorumHold {

    /** Half of the largest distance that a token floor may be ahead of a server's clock, in us. */
    private static final long FAR_BEHIND_MICROS = 1_000_000;

    private final Quorum quorum;
    private final String id;
    private final ScriptCall call;
    private final CompletableFuture<List<String>> result = new CompletableFuture<>();
    private final SerialExecutor executor = new SerialExecutor();
    private final AtomicReference<ServerSet> servers = new AtomicReference<>(ServerSet.NONE);
    private final long startedAt;
    private final long leaseNanos;
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

    QuorumHold(Quorum quorum, String id, ScriptCall call, int failedTries, Consumer<QuorumHold> onReleased) {
        this.quorum = quorum;
        this.id = id;
        this.call = call;
        this.failedTries = failedTries;
        this.grantors = new Grantors(quorum.majority());
        this.startedAt = quorum.parts().time().nanoTime();
        this.leaseNanos = QuorumScripts.leaseNanos(call);
        this.timeoutNanos = Majority.nodeTimeout(quorum.parts().nodeTimeoutNanos(), leaseNanos, call.timeoutNanos());
        this.quorumRelease = new QuorumRelease(quorum, this, call.keys().get(0), onReleased);
    }

    /** Returns the id of this hold on the servers. */
    String id() {
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
    CompletableFuture<List<String>> begin() {
        executor.execute(() -> {
            for (Node node : quorum.nodes()) {
                grantors.add(node, node.at(startedAt + timeoutNanos));
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
                QuorumScripts.acquire(call, id, one.notAfter, parts.marker(), parts.longest(), timeoutNanos),
                onReply(reply -> acquired(one, reply), failure -> notAcquired(one, failure)));
    }

    private void acquired(Grantor one, List<String> reply) {
        QuorumScripts.Acquired answer = QuorumScripts.acquired(reply);
        one.resolved = true;
        one.mayStillGrant = false;
        switch (answer.code()) {
            case GRANTED, YOUNG -> {
                one.granted = true;
                one.joined = answer.code() == QuorumScripts.Acquiring.GRANTED;
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
            case CLOCK -> one.clockBehind = true;
            case FOREIGN -> foreign = answer.detail();
            case OTHER -> refused = quorum.otherLongest(one.node, answer.detail());
            case UNMARKED -> refused = quorum.foreignMarker(one.node, answer.detail());
            case STALE, ENDED, EXHAUSTED -> {}
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
                QuorumScripts.join(quorum.parts().marker(), quorum.parts().longest(), timeoutNanos),
                onReply(reply -> joined(one, QuorumScripts.joined(reply)), failure -> one.joining = false));
    }

    private void joined(Grantor one, QuorumScripts.Joined answer) {
        one.joining = false;
        if (answer.code() == QuorumScripts.Joining.JOINED && !one.joined) {
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
                QuorumScripts.raise(call.keys().get(0), token, quorum.parts().retention(), timeoutNanos),
                onReply(
                        reply -> {
                            one.raising = false;
                            one.raised = QuorumScripts.raised(reply).code() == QuorumScripts.Raising.RAISED;
                        },
                        failure -> one.raising = false));
    }

    /** Handles replies in the serial executor, and then checks for a decision. */
    private Node.ReplyHandler onReply(Consumer<List<String>> answered, Consumer<RuntimeException> failed) {
        return new Node.ReplyHandler() {
            @Override
            public void answered(List<String> reply) {
                executor.execute(() -> {
                    try {
                        answered.accept(reply);
                    } catch (RuntimeException e) {
                        failed.accept(new TransportException("the answer could not be understood", true, e));
                    }
                    decide();
                });
            }

            @Override
            public void failed(RuntimeException failure) {
                executor.execute(() -> {
                    failed.accept(failure);
                    decide();
                });
            }

            @Override
            public void answeredLate(List<String> reply) {
                answered(reply);
            }
        };
    }

    private void decide() {
        if (phase == Phase.ACQUIRING) {
            if (!grantors.enoughMayCount()) {
                refuse();
            } else if (grantors.enoughCount() && !isWorthWaiting()) {
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

    /** Returns whether a server is outstanding that usually answers about as fast as the majority did. */
    private boolean isWorthWaiting() {
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
        result.complete(
                quorum.reply("granted", startedAt, Long.toString(grantors.validNanos() / 1000), Long.toString(token)));
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
            result.complete(quorum.reply("foreign", startedAt, foreign));
        } else if (grantors.busy()) {
            long pause = Majority.pause(failedTries, quorum.parts().jitter().getAsDouble());
            long free = grantors.freeAfterNanos();
            result.complete(
                    quorum.reply("busy", startedAt, Long.toString((free > 0 ? Math.min(free, pause) : pause) / 1000)));
        } else {
            result.completeExceptionally(refused != null ? refused : grantors.tooFew());
        }
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
    CompletableFuture<List<String>> release(long askedAt) {
        CompletableFuture<List<String>> released = new CompletableFuture<>();
        executor.execute(() -> {
            abandonNow();
            quorumRelease.addCaller(released, askedAt);
        });
        return released;
    }
}
