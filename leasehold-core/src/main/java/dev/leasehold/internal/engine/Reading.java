package dev.leasehold.internal.engine;

import dev.leasehold.LockOptions;
import dev.leasehold.event.LossCause;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One hold in Redis that several readers of this process share. Each has its own deadline and renews for itself: so the hold
 * lasts as long as the longest lease among them, and goes with the last that leaves.
 */
final class Reading extends Tenure {

    /** For how long others may join without asking Redis, which knows whether a writer waits. */
    private static final long JOINED_NANOS = 50_000_000;

    private final LockOptions options;
    private final Grant grant;
    private final long joinedUntil;

    /** Changed inside the map of {@link ReadRoom} only. */
    private final Set<LeaseRecord> readers = Collections.newSetFromMap(new IdentityHashMap<>());

    /** Begins with a hold that Redis has granted, asked for at that moment. */
    Reading(LeaseRecord first, long sentAt) {
        super(first, first.token(), sentAt);
        this.options = first.options;
        this.grant = first.shared(this);
        this.joinedUntil = sentAt + JOINED_NANOS;
        readers.add(first);
    }

    /** Whether a reader with these options may join: then neither can tell the hold from one of its own. */
    boolean takes(LockOptions other, long now, long surplus) {
        return now - joinedUntil < 0
                && other.leaseTime().equals(options.leaseTime())
                && other.renewal().equals(options.renewal())
                && grant.covers(other, now, surplus);
    }

    Grant join(LeaseRecord reader, long now) {
        readers.add(reader);
        return grant.takenAt(now);
    }

    /** Returns whether it was there, and was the last. */
    boolean leave(LeaseRecord reader) {
        return readers.remove(reader) && readers.isEmpty();
    }

    /** Nobody reads any more, so the hold is being given back. */
    boolean over() {
        return readers.isEmpty();
    }

    /** It goes to all who share it, and to none after another. */
    @Override
    boolean runs(long token, long now) {
        return false;
    }

    /** Each learns for itself what becomes of the hold. */
    @Override
    LeaseRecord present(LeaseRecord asked) {
        return asked;
    }

    @Override
    @Nullable
    LossCause handedTo(LeaseRecord next) {
        return whyDenied();
    }
}
