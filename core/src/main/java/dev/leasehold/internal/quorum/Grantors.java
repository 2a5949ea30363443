package dev.leasehold.internal.quorum;

import dev.leasehold.internal.store.AcquireHold;
import dev.leasehold.internal.store.ServerTime;
import dev.leasehold.spi.TransportException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/**
 * The answers of all servers to one try, and what a majority of them decides. Used in the serial executor of the hold
 * only.
 */
final class Grantors {

    private final Majority majority;
    private final List<Grantor> all = new ArrayList<>();

    Grantors(Majority majority) {
        this.majority = majority;
    }

    /** The state of a server in this try. */
    static final class Grantor {
        final Node node;
        final ServerTime notAfter;
        /** True once the request was answered or has failed. */
        boolean resolved;
        /** True while the server may still grant the request at an unknown time. */
        boolean mayStillGrant = true;

        boolean granted;
        boolean busy;
        /** True while the token was sent to the server without an answer so far. */
        boolean raising;

        boolean raised;
        boolean joining;
        boolean joined;
        /**
         * True if the server refused because its clock and its last token are too far behind this client's token floor.
         */
        boolean clockBehind;

        /** True if the server refused because no token below 2^53 is left. */
        boolean exhausted;

        long youngNanos;
        long leftNanos;
        long token;

        Grantor(Node node, ServerTime notAfter) {
            this.node = node;
            this.notAfter = notAfter;
        }

        boolean counts() {
            return granted && joined;
        }

        /** Returns whether the server counts, and will not issue this token or a lower one again. */
        boolean knows(long which) {
            return counts() && (token >= which || raised);
        }
    }

    void add(Node node, ServerTime notAfter) {
        all.add(new Grantor(node, notAfter));
    }

    void forEach(Consumer<Grantor> action) {
        all.forEach(action);
    }

    int count(Predicate<Grantor> what) {
        int found = 0;
        for (Grantor one : all) {
            if (what.test(one)) {
                found++;
            }
        }
        return found;
    }

    /** Returns whether a majority counts. */
    boolean enoughCount() {
        return majority.reached(count(Grantor::counts));
    }

    /** Returns whether a majority counts, or may do so once the open requests are answered. */
    boolean enoughMayCount() {
        return majority.possible(count(Grantor::counts), count(one -> !one.resolved));
    }

    /** Returns whether a majority counts and knows the token. */
    boolean enoughKnow(long token) {
        return majority.reached(count(one -> one.knows(token)));
    }

    /** Returns whether a majority knows the token, or may do so once the open requests are answered. */
    boolean enoughMayKnow(long token) {
        return majority.possible(count(one -> one.knows(token)), count(one -> one.raising || !one.resolved));
    }

    /** Returns the token of the hold, from those that the servers that count have issued. */
    long token() {
        return majority.token(values(Grantor::counts, one -> one.token));
    }

    /** Returns how long the hold is valid, by the time left on the servers that count. */
    long validNanos() {
        return majority.validFor(values(Grantor::counts, one -> one.leftNanos));
    }

    /** Returns the servers that count, as a bit mask. */
    long counting() {
        long counting = 0;
        for (Grantor one : all) {
            if (one.counts()) {
                counting |= ServerSet.bit(one.node.index());
            }
        }
        return counting;
    }

    /** Returns whether a majority answered and counts, and at least one of the servers is busy. */
    boolean busy() {
        return majority.reached(answered() - young()) && count(one -> one.busy) > 0;
    }

    /** Returns whether the clocks of a majority are too far behind. */
    boolean clocksBehind() {
        return majority.reached(count(one -> one.clockBehind));
    }

    /** Returns whether a majority has no token left. */
    boolean exhausted() {
        return majority.reached(count(one -> one.exhausted));
    }

    /** Returns the last token of a lock that no majority grants. */
    long lastToken() {
        return all.stream().mapToLong(one -> one.token).max().orElse(0);
    }

    /** Returns whether the open requests may still tell why no majority grants the lock. */
    boolean mayStillTellWhy() {
        int open = count(one -> !one.resolved);
        int told = answered() - young() + count(one -> one.clockBehind || one.exhausted);
        return open > 0 && majority.possible(told, open) && !busy() && !clocksBehind() && !exhausted();
    }

    /**
     * Returns the answer of a busy try. Some servers may have granted it and so kept the lock from somebody else. Then the
     * next try must not come before the pause is over; otherwise a majority may be free earlier.
     */
    AcquireHold.Answer busyAnswer(ServerTime now, long pauseNanos) {
        boolean split = count(one -> one.granted) > 0;
        long free = majority.freeAfter(values(one -> one.busy, one -> one.leftNanos));
        long left = free > 0 ? Math.min(free, pauseNanos) : pauseNanos;
        return new AcquireHold.Answer(
                AcquireHold.Code.BUSY, now, left, 0, 0, "", 0, AcquireHold.FURTHER, false, split ? pauseNanos : 0);
    }

    /** Returns the failure of a try to which too few servers answered. */
    TransportException tooFew() {
        long longest = all.stream().mapToLong(one -> one.youngNanos).max().orElse(0);
        int young = young();
        String why = young == 0
                ? ""
                : "; " + young + " may have forgotten holds and do not count for " + longest / 1_000_000 + " ms more";
        return new TransportException(
                answered() - young + " of " + all.size() + " servers answered, and " + majority.needed() + " are needed"
                        + why,
                count(one -> one.mayStillGrant) > 0,
                null);
    }

    private int answered() {
        return count(one -> one.granted || one.busy);
    }

    private int young() {
        return count(one -> one.youngNanos > 0);
    }

    private List<Long> values(Predicate<Grantor> which, ToLongFunction<Grantor> value) {
        return all.stream().filter(which).map(value::applyAsLong).toList();
    }
}
