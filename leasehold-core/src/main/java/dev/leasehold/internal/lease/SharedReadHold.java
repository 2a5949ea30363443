package dev.leasehold.internal.lease;

import dev.leasehold.LockOptions;
import dev.leasehold.event.LossCause;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One hold in Redis that several readers of this process share. Each has its own deadline and renews for itself: so the hold
 * lasts as long as the longest lease among them, and goes with the last that leaves.
 *
 * <p>It may be a writer's hold, whose process lets its readers in before its next writer: then the last of them hands the
 * lock on, as a writer does.
 */
public final class SharedReadHold extends ProcessHold {

    /** For how long others may join a hold of readers without asking Redis, which knows whether a writer waits. */
    private static final long JOINED_NANOS = 50_000_000;

    private final LockOptions options;
    private final LocalGrant grant;
    private final long joinedUntil;

    /** The writer who has let the readers in, and its run; null if Redis has. */
    private final @Nullable LeaseRecord opener;

    private final @Nullable ProcessHold run;

    // Changed inside the map of ReadRoom only.
    private final Set<LeaseRecord> readers = Collections.newSetFromMap(new IdentityHashMap<>());
    /** Whether the writer still lets readers in: until then it is one of those who have not left. */
    private boolean opening;
    /** Whether one has left otherwise than in good order: then nobody knows enough of the hold to hand it on. */
    private volatile boolean doubtful;

    private volatile boolean over;

    /** Begins with a hold that Redis has granted to readers, asked for at that moment. */
    public SharedReadHold(LeaseRecord first, long sentAt) {
        super(first, first.token(), sentAt);
        this.options = first.options();
        this.joinedUntil = sentAt + JOINED_NANOS;
        this.opener = null;
        this.run = null;
        this.grant = first.shared(this);
        readers.add(first);
    }

    /** Begins with a writer's hold, handed on by that lease to nobody yet, and to whoever {@linkplain #enter enters}. */
    public SharedReadHold(LeaseRecord writer, LocalGrant handedOn) {
        super(writer, handedOn.token(), handedOn.at());
        this.options = writer.options();
        this.joinedUntil = handedOn.tenure().runEndsAt();
        this.opener = writer;
        this.run = handedOn.tenure();
        this.grant = handedOn.under(this);
        this.opening = true;
    }

    /** The hold, for one who reads under it. */
    public LocalGrant grant() {
        return grant;
    }

    /** Whether a reader with these options may join: then neither can tell the hold from one of its own. */
    public boolean takes(LockOptions other, long now, long surplus) {
        // Readers whom Redis lets in meanwhile have a higher token.
        boolean told = run != null && run.run() == null;
        return !told
                && now - joinedUntil < 0
                && !other.durability().enabled()
                && !options.durability().enabled()
                && other.leaseTime().equals(options.leaseTime())
                && other.renewal().equals(options.renewal())
                && grant.covers(other, now, surplus);
    }

    public LocalGrant join(LeaseRecord reader, long now) {
        enter(reader);
        return grant.takenAt(now);
    }

    public void enter(LeaseRecord reader) {
        readers.add(reader);
    }

    /**
     * Takes a reader out.
     *
     * @param clean whether it held the lock beyond doubt to the last
     * @return whether it was there, and was the last
     */
    public boolean leave(LeaseRecord reader, boolean clean) {
        if (!readers.remove(reader)) {
            return false;
        }
        if (!clean) {
            doubtful = true;
        }
        return ends();
    }

    /** The writer lets nobody in any more. Returns whether all whom it has let in have left. */
    public boolean opened() {
        opening = false;
        return ends();
    }

    private boolean ends() {
        over = readers.isEmpty() && !opening;
        return over;
    }

    /** From here on it is not handed on to a writer. Returns false, and changes nothing, if nobody reads any more. */
    public boolean shares() {
        if (over || run == null) {
            return false;
        }
        run.share();
        return true;
    }

    /** Until when no other process need be let in: the lock would have been handed on within this one as well. */
    public long aloneUntil() {
        return joinedUntil;
    }

    /** Nobody reads any more, so the hold is being given back or handed on. */
    public boolean over() {
        return over;
    }

    /** The writer whose hold it is; null if it is readers' in Redis, too. */
    @Nullable
    public LeaseRecord opener() {
        return opener;
    }

    /** That of the writer, for the last who leaves. */
    @Override
    @Nullable
    public ProcessHold run() {
        return over && !doubtful && run != null ? run.run() : null;
    }

    /** It goes to all who share it, and to none after another. */
    @Override
    public boolean runs(long token, long now) {
        return false;
    }

    /** Each learns for itself what becomes of the hold. */
    @Override
    public LeaseRecord present(LeaseRecord asked) {
        return asked;
    }

    @Override
    public void deny(LossCause cause) {
        super.deny(cause);
        if (run != null) {
            run.deny(cause);
        }
    }

    @Override
    @Nullable
    public LossCause whyDenied() {
        LossCause why = super.whyDenied();
        return why == null && run != null ? run.whyDenied() : why;
    }

    @Override
    @Nullable
    public LossCause handedTo(LeaseRecord next) {
        return whyDenied();
    }
}
