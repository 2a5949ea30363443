package dev.leasehold.internal.quorum;

import dev.leasehold.internal.script.QuorumScripts;
import dev.leasehold.internal.script.ServerTime;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.ScriptCall;
import dev.leasehold.spi.Timer;
import dev.leasehold.spi.TransportException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One try to acquire, and the hold that comes of it. It has an id of its own on the servers, which is used for nothing else:
 * so a late copy of another try, or of an acquire after its release, is never taken for it.
 *
 * <p>All are asked for the lock at once. Each that grants says in the same step whether it may have forgotten holds; if it may,
 * it does not count. The token is the lowest that surpasses all that were ever handed out: as high as what some majority of them
 * has given. The lock is held when a majority counts that knows the token. Mostly that is so at once, because who gave this token
 * or a higher one knows it. Where it is not, the token is written to those who gave a lower one: a second round. Only who
 * granted counts as knowing it, so that whoever comes next there comes after it. Whoever answers about as fast as the majority
 * did is waited for, since who is heard later counts only from the next renewal on. If too few are left, all is given back at once.
 *
 * <p>Its state is changed in its mailbox only, but for the members.
 */
final class QuorumHold {

    /** Half of what a floor may lie ahead of a server's clock, us. */
    private static final long FAR_BEHIND_MICROS = 1_000_000;

    private final QuorumTransport quorum;
    private final String id;
    private final ScriptCall call;
    private final CompletableFuture<List<String>> result = new CompletableFuture<>();
    private final SerialExecutor mailbox = new SerialExecutor();
    private final AtomicReference<ServerSet> members = new AtomicReference<>(ServerSet.NONE);
    private final long begunAt;
    private final long leaseNanos;
    private final long timeoutNanos;
    private final int triesInVain;
    private final List<Grantor> grantors = new ArrayList<>();
    private final QuorumRelease leaving;
    private Timer.@Nullable Timeout patience;
    private long patienceNanos;
    private boolean patienceOver;
    private Phase phase = Phase.ACQUIRING;
    private long token;
    private @Nullable RuntimeException refused;
    private @Nullable String foreign;

    private enum Phase {
        ACQUIRING,
        RAISING,
        HELD,
        LEFT
    }

    /** What is known of a server in this try. */
    private static final class Grantor {
        final Node node;
        final ServerTime notAfter;
        /** Whether it answered, or is not waited for any more. */
        boolean heard;
        /** Whether it may still grant, at a time of which nothing is known. */
        boolean silent = true;

        boolean granted;
        boolean busy;
        /** Whether it was told the token, and has not answered yet. */
        boolean raising;

        boolean raised;
        boolean joining;
        boolean joined;
        /** Whether it refused because all that it knows lies before what this client has seen. */
        boolean behind;

        long youngNanos;
        long leftNanos;
        long token;

        Grantor(Node node, ServerTime notAfter) {
            this.node = node;
            this.notAfter = notAfter;
        }

        boolean good() {
            return granted && joined;
        }

        /** Whether it counts, and gives no such token again. */
        boolean knows(long which) {
            return good() && (token >= which || raised);
        }
    }

    QuorumHold(QuorumTransport quorum, String id, ScriptCall call, int triesInVain) {
        this.quorum = quorum;
        this.id = id;
        this.call = call;
        this.triesInVain = triesInVain;
        this.begunAt = quorum.parts().time().nanoTime();
        this.leaseNanos = QuorumScripts.leaseNanos(call);
        this.timeoutNanos = Majority.nodeTimeout(quorum.parts().nodeTimeoutNanos(), leaseNanos, call.timeoutNanos());
        this.leaving = new QuorumRelease(quorum, this, call.keys().get(0));
    }

    /** Its id on the servers. */
    String id() {
        return id;
    }

    int triesInVain() {
        return triesInVain;
    }

    ServerSet members() {
        return Objects.requireNonNull(members.get());
    }

    void change(UnaryOperator<ServerSet> change) {
        members.updateAndGet(change);
    }

    /** Changes its state. */
    void run(Runnable task) {
        mailbox.run(task);
    }

    /** Asks all servers. */
    CompletableFuture<List<String>> begin() {
        mailbox.run(() -> {
            for (Node node : quorum.nodes()) {
                grantors.add(new Grantor(node, node.at(begunAt + timeoutNanos)));
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
        all.ask(
                one.node,
                QuorumScripts.acquire(call, id, one.notAfter, parts.marker(), parts.longest(), timeoutNanos),
                hearing(reply -> acquired(one, reply), failure -> notAcquired(one, failure)));
    }

    private void acquired(Grantor one, List<String> reply) {
        QuorumScripts.Acquired answer = QuorumScripts.acquired(reply);
        one.heard = true;
        one.silent = false;
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
                    change(before -> before.heardLate(one.node.index()));
                }
            }
            case BUSY -> {
                one.busy = true;
                one.leftNanos = answer.leftNanos();
            }
            case CLOCK -> one.behind = true;
            case FOREIGN -> foreign = answer.detail();
            case OTHER -> refused = quorum.otherLongest(one.node, answer.detail());
            case UNMARKED -> refused = quorum.foreignMarker(one.node, answer.detail());
            case STALE, ENDED, EXHAUSTED -> {}
        }
        if (phase == Phase.HELD) {
            tellIfFarBehind(one);
        }
    }

    private void notAcquired(Grantor one, RuntimeException failure) {
        one.heard = true;
        one.silent = !(failure instanceof TransportException silence) || silence.maybeExecuted();
        if (failure instanceof RedisErrorException) {
            refused = failure;
        }
    }

    /** Asks those again who have granted, and may have forgotten holds: they may count later. */
    void joinAgain() {
        mailbox.run(() -> {
            if (phase == Phase.HELD) {
                for (Grantor one : grantors) {
                    if (one.granted && !one.joining && !one.joined) {
                        join(one);
                    }
                }
            }
        });
    }

    private void join(Grantor one) {
        one.joining = true;
        one.node.ask(
                QuorumScripts.join(quorum.parts().marker(), quorum.parts().longest(), timeoutNanos),
                hearing(reply -> joined(one, QuorumScripts.joined(reply)), failure -> one.joining = false));
    }

    private void joined(Grantor one, QuorumScripts.Joined answer) {
        one.joining = false;
        if (answer.code() == QuorumScripts.Joining.JOINED && !one.joined) {
            one.joined = true;
            if (phase == Phase.HELD) {
                change(before -> before.heardLate(one.node.index()));
            }
        }
    }

    /** Writes the token to one that counts and does not know it. */
    private void raise(Grantor one) {
        if (one.good() && !one.knows(token) && !one.raising) {
            write(one);
        }
    }

    private void write(Grantor one) {
        one.raising = true;
        one.node.ask(
                QuorumScripts.raise(call.keys().get(0), token, quorum.parts().retention(), timeoutNanos),
                hearing(
                        reply -> {
                            one.raising = false;
                            one.raised = QuorumScripts.raised(reply).code() == QuorumScripts.Raising.RAISED;
                        },
                        failure -> one.raising = false));
    }

    /** What is heard is handled in the mailbox, and then judged. */
    private Node.Hearer hearing(Consumer<List<String>> answered, Consumer<RuntimeException> failed) {
        return new Node.Hearer() {
            @Override
            public void answered(List<String> reply) {
                mailbox.run(() -> {
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
                mailbox.run(() -> {
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

    private int count(Predicate<Grantor> what) {
        int found = 0;
        for (Grantor one : grantors) {
            if (what.test(one)) {
                found++;
            }
        }
        return found;
    }

    private void decide() {
        Majority majority = quorum.majority();
        if (phase == Phase.ACQUIRING) {
            int good = count(Grantor::good);
            int open = count(one -> !one.heard);
            if (!majority.possible(good, open)) {
                refuse();
            } else if (majority.reached(good) && (open == 0 || !isWorthWaiting())) {
                beginToRaise();
            }
        }
        if (phase == Phase.RAISING) {
            int knowing = count(one -> one.knows(token));
            if (majority.reached(knowing)) {
                grant();
            } else if (!majority.possible(knowing, count(one -> one.raising || !one.heard))) {
                refuse();
            }
        }
    }

    /** Whether one is still to come that answers about as fast as the majority that is there did. */
    private boolean isWorthWaiting() {
        if (patienceOver) {
            return false;
        }
        if (patience == null) {
            patienceNanos = Majority.patience(quorum.parts().time().nanoTime() - begunAt);
        }
        if (count(one -> !one.heard && one.node.answersWithin(patienceNanos)) == 0) {
            return false;
        }
        if (patience == null) {
            patience = quorum.parts()
                    .timer()
                    .schedule(() -> quorum.parts().run(() -> run(this::losePatience)), patienceNanos);
        }
        return true;
    }

    private void losePatience() {
        if (phase == Phase.ACQUIRING) {
            patienceOver = true;
            for (Grantor one : grantors) {
                if (!one.heard) {
                    one.node.isSlow();
                }
            }
            decide();
        }
    }

    private void beginToRaise() {
        phase = Phase.RAISING;
        if (patience != null) {
            patience.cancel();
        }
        List<Long> given = new ArrayList<>(grantors.size());
        for (Grantor one : grantors) {
            if (one.good()) {
                given.add(one.token);
            }
        }
        token = quorum.majority().token(given);
        if (!quorum.majority().reached(count(one -> one.knows(token)))) {
            grantors.forEach(this::raise);
        }
    }

    private void grant() {
        phase = Phase.HELD;
        long good = 0;
        List<Long> left = new ArrayList<>(grantors.size());
        for (Grantor one : grantors) {
            if (one.good()) {
                good |= ServerSet.bit(one.node.index());
                left.add(one.leftNanos);
            }
        }
        long those = good;
        change(before -> before.grantedBy(those));
        result.complete(quorum.reply(
                "granted", begunAt, Long.toString(quorum.majority().lasting(left) / 1000), Long.toString(token)));
        grantors.forEach(this::tellIfFarBehind);
    }

    /** For this lease it need not know the token. But the next try of this client has it as its floor, and it would refuse. */
    private void tellIfFarBehind(Grantor one) {
        if (one.behind || (one.good() && !one.raised && one.token < token - FAR_BEHIND_MICROS)) {
            write(one);
        }
    }

    private void refuse() {
        giveBack();
        Majority majority = quorum.majority();
        List<Long> taken = grantors.stream()
                .filter(one -> one.busy)
                .map(one -> one.leftNanos)
                .toList();
        int answered = count(one -> one.granted || one.busy);
        int young = count(one -> one.youngNanos > 0);
        if (foreign != null) {
            result.complete(quorum.reply("foreign", begunAt, foreign));
        } else if (majority.reached(answered - young) && !taken.isEmpty()) {
            long pause = Majority.pause(triesInVain, quorum.parts().jitter().getAsDouble());
            long free = majority.freeAfter(taken);
            result.complete(
                    quorum.reply("busy", begunAt, Long.toString((free > 0 ? Math.min(free, pause) : pause) / 1000)));
        } else {
            result.completeExceptionally(refused != null ? refused : tooFew(answered - young, young));
        }
    }

    private TransportException tooFew(int counting, int young) {
        long longest = grantors.stream().mapToLong(one -> one.youngNanos).max().orElse(0);
        String why = young == 0
                ? ""
                : "; " + young + " may have forgotten holds and do not count for " + longest / 1_000_000 + " ms more";
        return new TransportException(
                counting + " of " + grantors.size() + " servers answered, and "
                        + quorum.majority().needed() + " are needed" + why,
                count(one -> one.silent) > 0,
                null);
    }

    private void giveBack() {
        phase = Phase.LEFT;
        for (Grantor one : grantors) {
            if (one.silent || one.granted) {
                leaving.add(one.node, one.silent ? one.notAfter : ServerTime.NONE);
            }
        }
        leaving.begin();
    }

    /** Gives all back, whatever it is doing. */
    void leave() {
        mailbox.run(this::leaveNow);
    }

    private void leaveNow() {
        if (phase != Phase.LEFT) {
            giveBack();
            result.completeExceptionally(new TransportException("the acquire was given up", true, null));
        }
    }

    /** Its holder gives it back: tells what came of that. */
    CompletableFuture<List<String>> release(long askedAt) {
        CompletableFuture<List<String>> told = new CompletableFuture<>();
        mailbox.run(() -> {
            leaveNow();
            leaving.tell(told, askedAt);
        });
        return told;
    }
}
