package dev.leasehold.internal.quorum;

import dev.leasehold.internal.script.AcquireScript;
import dev.leasehold.internal.script.QuorumScripts;
import dev.leasehold.internal.script.ServerTime;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.ScriptCall;
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
 * <p>Two rounds. First all are asked for the lock. When a majority has granted, the highest of their tokens is written to all,
 * and each is asked whether it may have forgotten holds: after its grant, so that nothing lies between. The lock is held when
 * a majority has granted and forgotten nothing, a majority knows the token, and whoever else has granted by then has said whether
 * it counts, too. Else all is given back at once.
 *
 * <p>Its state is changed in its mailbox only, but for the members.
 */
final class Attempt {

    private final QuorumTransport quorum;
    private final String id;
    private final ScriptCall call;
    private final CompletableFuture<List<String>> result = new CompletableFuture<>();
    private final Mailbox mailbox = new Mailbox();
    private final AtomicReference<Members> members = new AtomicReference<>(Members.NONE);
    private final long begunAt;
    private final long leaseNanos;
    private final long timeoutNanos;
    private final int triesInVain;
    private final List<Grantor> grantors = new ArrayList<>();
    private final Leaving leaving;
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
        boolean raiseHeard;
        boolean raised;
        boolean joinHeard;
        boolean joined;
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

        /** Whether it has granted, and did not say yet whether that counts; it does, or time runs out for it. */
        boolean isAsked() {
            return granted && !joinHeard;
        }

        boolean mayBecomeGood() {
            return !(heard && !granted) && !(joinHeard && !joined);
        }
    }

    Attempt(QuorumTransport quorum, String id, ScriptCall call, int triesInVain) {
        this.quorum = quorum;
        this.id = id;
        this.call = call;
        this.triesInVain = triesInVain;
        this.begunAt = quorum.parts().time().nanoTime();
        this.leaseNanos = QuorumScripts.leaseNanos(call);
        this.timeoutNanos = Majority.nodeTimeout(quorum.parts().nodeTimeoutNanos(), leaseNanos, call.timeoutNanos());
        this.leaving = new Leaving(quorum, this, call.keys().get(0));
    }

    /** Its id on the servers. */
    String id() {
        return id;
    }

    int triesInVain() {
        return triesInVain;
    }

    Members members() {
        return Objects.requireNonNull(members.get());
    }

    void change(UnaryOperator<Members> change) {
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
            grantors.forEach(this::acquire);
            decide();
        });
        return result;
    }

    private void acquire(Grantor one) {
        one.node.ask(
                QuorumScripts.acquire(call, id, one.notAfter, timeoutNanos),
                hearing(reply -> acquired(one, reply), failure -> notAcquired(one, failure)));
    }

    private void acquired(Grantor one, List<String> reply) {
        AcquireScript.Answer answer = AcquireScript.parse(reply);
        one.heard = true;
        one.silent = false;
        switch (answer.code()) {
            case GRANTED -> {
                one.granted = true;
                one.leftNanos = answer.leftNanos();
                one.token = answer.token();
                if (phase == Phase.RAISING || phase == Phase.HELD) {
                    // Only now is it certain that it is asked after its grant.
                    join(one);
                    raise(one);
                }
            }
            case BUSY -> {
                one.busy = true;
                one.leftNanos = answer.leftNanos();
            }
            case FOREIGN -> foreign = answer.found();
            case STALE, ENDED, CLOCK, EXHAUSTED, PERMITS -> {}
        }
    }

    private void notAcquired(Grantor one, RuntimeException failure) {
        one.heard = true;
        one.silent = !(failure instanceof TransportException silence) || silence.maybeExecuted();
        if (failure instanceof RedisErrorException) {
            refused = failure;
        }
    }

    private void join(Grantor one) {
        one.node.ask(
                QuorumScripts.join(quorum.parts().marker(), quorum.parts().longest(), timeoutNanos),
                hearing(reply -> joined(one, QuorumScripts.joined(reply)), failure -> one.joinHeard = true));
    }

    /** Asks those again who have granted, and did not say that they have forgotten nothing: they may count later. */
    void joinAgain() {
        mailbox.run(() -> {
            if (phase == Phase.HELD) {
                for (Grantor one : grantors) {
                    if (one.granted && one.joinHeard && !one.joined) {
                        one.joinHeard = false;
                        join(one);
                    }
                }
            }
        });
    }

    private void joined(Grantor one, QuorumScripts.Joined answer) {
        one.joinHeard = true;
        switch (answer.code()) {
            case JOINED -> {
                one.joined = true;
                if (phase == Phase.HELD) {
                    change(before -> before.heardLate(one.node.index()));
                }
            }
            case YOUNG -> one.youngNanos = answer.leftNanos();
            case OTHER -> refused = quorum.otherLongest(one.node, answer.detail());
            case FOREIGN -> refused = quorum.foreignMarker(one.node, answer.detail());
        }
    }

    private void raise(Grantor one) {
        one.node.ask(
                QuorumScripts.raise(call.keys().get(0), token, quorum.parts().retention(), timeoutNanos),
                hearing(
                        reply -> {
                            one.raiseHeard = true;
                            one.raised = QuorumScripts.raised(reply).code() == QuorumScripts.Raising.RAISED;
                        },
                        failure -> one.raiseHeard = true));
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
        return (int) grantors.stream().filter(what).count();
    }

    private void decide() {
        Majority majority = quorum.majority();
        if (phase == Phase.ACQUIRING) {
            if (majority.reached(count(one -> one.granted))) {
                beginToRaise();
            } else if (!majority.possible(count(one -> one.granted), count(one -> !one.heard))) {
                refuse();
            }
        }
        if (phase == Phase.RAISING) {
            int raised = count(one -> one.raised);
            int good = count(Grantor::good);
            if (majority.reached(raised) && majority.reached(good)) {
                // Who is still being asked would count only from the next renewal on, and be one that cannot be spared
                // till then.
                if (grantors.stream().noneMatch(Grantor::isAsked)) {
                    grant();
                }
            } else if (!majority.reached(count(Grantor::mayBecomeGood))
                    || !majority.possible(raised, count(one -> !one.raiseHeard))) {
                refuse();
            }
        }
    }

    private void beginToRaise() {
        phase = Phase.RAISING;
        token = grantors.stream().mapToLong(one -> one.token).max().orElse(0);
        for (Grantor one : grantors) {
            if (one.granted) {
                join(one);
                raise(one);
            } else if (one.busy) {
                raise(one);
            } else if (one.heard) {
                one.raiseHeard = true;
            }
        }
    }

    private void grant() {
        phase = Phase.HELD;
        long good = 0;
        List<Long> left = new ArrayList<>();
        for (Grantor one : grantors) {
            if (one.good()) {
                good |= Members.bit(one.node.index());
                left.add(one.leftNanos);
            }
        }
        long those = good;
        change(before -> before.grantedBy(those));
        result.complete(quorum.reply(
                "granted", begunAt, Long.toString(quorum.majority().lasting(left) / 1000), Long.toString(token)));
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
