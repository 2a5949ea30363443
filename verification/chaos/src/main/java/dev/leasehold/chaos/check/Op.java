package dev.leasehold.chaos.check;

import dev.leasehold.chaos.history.Event;
import dev.leasehold.chaos.history.What;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One acquisition, as its process recorded it. */
final class Op {

    final Event invoked;
    final List<Event> events = new ArrayList<>();

    @Nullable
    Event outcome;

    @Nullable
    Event releasing;

    @Nullable
    Event over;
    /** The last moment at which the lease certainly was held by its own report, 0 if it never reported so. */
    long claimedUntil;

    Op(Event invoked) {
        this.invoked = invoked;
        events.add(invoked);
    }

    void add(Event event) {
        events.add(event);
        switch (event.what()) {
            case GRANTED, OPENED, BUSY, UNAVAILABLE, REFUSED -> outcome = event;
            case HELD -> claimedUntil = Math.max(claimedUntil, event.at());
            case RELEASING -> releasing = event;
            case RELEASED, RELEASE_LOST -> over = event;
            default -> {}
        }
    }

    String id() {
        return invoked.op();
    }

    String lock() {
        return invoked.lock();
    }

    String process() {
        return invoked.process();
    }

    long lease() {
        return invoked.value();
    }

    /** Returns the wait time. */
    long timeLimit() {
        return Long.parseLong(invoked.note().split(" ", -1)[0]);
    }

    boolean renewed() {
        return invoked.note().contains(" renewed");
    }

    boolean reads() {
        return invoked.note().contains(" reads");
    }

    /** Returns whether its client retains the hold after the release. */
    boolean retains() {
        return invoked.note().contains(" retains");
    }

    /** Returns how many may hold the lock at the same time: the permits of a semaphore, or one. */
    int permits() {
        int of = invoked.note().lastIndexOf(" of ");
        return of < 0 ? 1 : Integer.parseInt(invoked.note().substring(of + " of ".length()));
    }

    /** Returns whether it got what it asked for: the lock, or the end of the wait at a latch. */
    boolean served() {
        return granted() || (outcome != null && outcome.is(What.OPENED));
    }

    boolean granted() {
        return outcome != null && outcome.is(What.GRANTED);
    }

    /** Returns whether it has a token: plain locks have none. */
    boolean fenced() {
        return granted() && token() > 0;
    }

    long token() {
        return outcome == null ? 0 : outcome.token();
    }

    long at() {
        return outcome == null ? Long.MAX_VALUE : outcome.at();
    }

    /** Returns the moment at which the holder began to release, or never. */
    long releasedAt() {
        return releasing == null ? Long.MAX_VALUE : releasing.at();
    }

    @Nullable
    Event first(What... kinds) {
        for (Event event : events) {
            if (event.is(kinds)) {
                return event;
            }
        }
        return null;
    }

    long count(What what) {
        return events.stream().filter(event -> event.is(what)).count();
    }
}
