package dev.leasehold.internal.lease;

import dev.leasehold.event.LossCause;
import dev.leasehold.event.LossEvent;
import dev.leasehold.internal.dispatch.LossLog;
import dev.leasehold.internal.key.LockKind;
import dev.leasehold.internal.request.BatchSender;
import dev.leasehold.internal.request.RequestContext;
import dev.leasehold.internal.store.LeaseSpan;
import dev.leasehold.internal.store.ReleaseHold;
import dev.leasehold.internal.store.ServerTime;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Ends leases without their holders: declares them lost, and releases in the background the holds that no caller waits for. No
 * method waits. Safe for use by any thread.
 */
public final class LeaseTermination {

    private final RequestContext context;
    private final BatchSender sender;
    private final LeaseTable leases;
    private final LeaseEvents events;
    private final LossLog losses;
    private @Nullable LocalSharing sharing;

    public LeaseTermination(RequestContext context, BatchSender sender, LeaseTable leases, LeaseEvents events) {
        this.context = context;
        this.sender = sender;
        this.leases = leases;
        this.events = events;
        this.losses = new LossLog(context.timer());
    }

    /** Logs the losses of the last moment, because the client is closed. */
    public void logLosses() {
        losses.flush();
    }

    /** Sets the sharing of holds among local leases; called once, before the first lease. */
    public void connect(LocalSharing localSharing) {
        sharing = localSharing;
    }

    private LocalSharing sharing() {
        return Objects.requireNonNull(sharing, "not connected yet");
    }

    /**
     * Declares a lease lost whose deadline has passed, and releases its hold, if Redis still has it and its minimum is over:
     * the deadline is slightly before the end of the lease in Redis.
     */
    public void expire(LeaseRecord record) {
        boolean last = lose(record, LeaseEvent.DEADLINE_PASSED, causeOfDeadline(record), null);
        if (last && MinimumHold.rest(record, context.now()) <= 0) {
            compensate(record, ServerTime.NONE);
        }
    }

    /**
     * Declares a lease lost because all leases of the client are taken away from their holders.
     *
     * @return whether the caller must release the hold, because no other lease shares it
     */
    public boolean revoke(LeaseRecord record) {
        return lose(record, LeaseEvent.DISOWNED, LossCause.DELETED, "the client released all its leases");
    }

    private static LossCause causeOfDeadline(LeaseRecord record) {
        LossCause stopped = record.plan().stopped();
        if (stopped != null) {
            return stopped;
        }
        if (!record.renews()) {
            return LossCause.EXPIRED;
        }
        LossCause gone = holderGone(record);
        return gone == null ? LossCause.UNCONFIRMED : gone;
    }

    /** Returns the cause for which a lease is renewed no more because nobody can release it; null if its holder can. */
    public static @Nullable LossCause holderGone(LeaseRecord record) {
        Thread thread = record.thread();
        if (record.tiedToThread() && thread != null && !thread.isAlive()) {
            return LossCause.THREAD_ENDED;
        }
        Reachability reachability = record.reachability();
        return reachability == null || reachability.reachable() ? null : LossCause.ABANDONED;
    }

    /**
     * Declares a lease lost whose hold Redis no longer has. After its end that is no wonder: then the cause is the deadline, whether
     * the answer of Redis or the timer comes first.
     */
    public void disown(LeaseRecord record, LeaseEvent event, LossCause cause, @Nullable String detail) {
        boolean ended = context.now() - record.end() >= 0;
        boolean unused = lose(record, event, ended ? causeOfDeadline(record) : cause, detail);
    }

    /** Returns whether this call lost the lease, and no other lease shares its hold. */
    private boolean lose(LeaseRecord record, LeaseEvent event, LossCause cause, @Nullable String detail) {
        Duration held = Duration.ofNanos(context.now() - record.grantedAt());
        LossEvent loss = new LossEvent(
                record.key().name(),
                record.owner().name(),
                record.token(),
                cause,
                held,
                detail,
                record.wasReportedReleased());
        List<Consumer<LossEvent>> listeners =
                record.notice().lose(() -> record.apply(event).became(LeaseState.LOST), loss);
        if (listeners == null) {
            return false;
        }
        leases.forget(record);
        // First, so that no other lease of the process uses the rest of the hold.
        boolean last = sharing().leave(record, false);
        sharing().handsOffNothing(record);
        losses.add(record.key().shown(), LeaseMessages.lossReason(loss.cause()), LeaseMessages.lost(record, loss));
        events.lost(record, listeners, loss);
        return last;
    }

    /** Releases a hold after an acquire whose outcome is unknown, or after a loss by deadline. */
    public void compensate(LeaseRecord record, ServerTime notAfter) {
        begin(record, record.sent().copiesUntil().orLater(notAfter), attempts(record));
    }

    /**
     * Finishes a release whose caller no longer waits, of a hold that no other lease shares. While its minimum is not over, the
     * hold is left to the end of its lease, which is later.
     */
    public void finish(LeaseRecord record, ReleaseAttempts attempts) {
        if (MinimumHold.rest(record, context.now()) > 0) {
            record.apply(LeaseEvent.RELEASE_CONFIRMED);
            return;
        }
        begin(record, record.sent().copiesUntil(), attempts);
    }

    /** Releases a lease without a holder: it was granted to a caller that no longer waits, or the client is closed. */
    public void giveBack(LeaseRecord granted) {
        if (!granted.releaseCalled().became(LeaseState.RELEASING)) {
            // It ends already: a second release would look like a loss. It is taken out of the table where its release
            // is among the unanswered, so that a client that closes waits for it.
            return;
        }
        boolean last = sharing().leave(granted, false);
        if (granted.wasReportedHeld()) {
            events.released(granted, !last);
        }
        if (last && (context.closed() || granted.key().kind() == LockKind.READ)) {
            // A reader may have a minimum hold, as the writer that it was and that its caller received.
            finish(granted, attempts(granted));
        } else if (last) {
            // No caller has received it, so it has no minimum hold.
            begin(granted, granted.sent().copiesUntil(), attempts(granted));
        } else {
            granted.apply(LeaseEvent.RELEASE_CONFIRMED);
        }
        leases.forget(granted);
        sharing().handsOffNothing(granted);
    }

    /** The attempts of a release that begins now. */
    public ReleaseAttempts attempts(LeaseRecord record) {
        ReleaseAttempts attempts = new ReleaseAttempts(record);
        attempts.begin(context.now(), context.surplus());
        return attempts;
    }

    private void begin(LeaseRecord record, ServerTime notAfter, ReleaseAttempts attempts) {
        new BackgroundRelease(context, sender, this, record, notAfter, attempts).begin();
    }

    /** The request that removes the hold of a lease; a copy of its acquire is refused until that time. */
    public static ReleaseHold request(LeaseRecord record, ServerTime notAfter, long timeoutNanos) {
        SentRequests sent = record.sent();
        LeaseSpan longest = new LeaseSpan(sent.longestSpan());
        ReleaseHold.Tokens tokens = record.retainedTokens();
        return new ReleaseHold(record.key(), record.hold(), longest, sent.lean(), notAfter, tokens, timeoutNanos);
    }

    /** The cause of a loss, by the answer to a release of a hold that Redis does not have. */
    public static LossCause causeOf(ReleaseHold.Answer answer) {
        return answer.code() == ReleaseHold.Code.ENDED ? LossCause.ENDED : causeOf(answer.detail());
    }

    /** The cause of a loss, by the reason that scripts return for a missing hold. */
    public static LossCause causeOf(String reason) {
        return reason.equals("taken") ? LossCause.TAKEN_OVER : LossCause.DELETED;
    }
}
