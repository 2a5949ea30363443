package dev.leasehold.internal.script;

import dev.leasehold.internal.key.LockKind;

/** The scripts of a client, bound to its retention and its server. */
public final class LockScripts {

    private final HoldScripts hashes;
    private final HoldScripts strings = new PlainScripts();
    private final AcquireScript acquire;
    private final GoOnScript goOn;
    private final ResumeScript resume;
    private final RequestReleaseScript requestRelease;
    private final LeaveScript leave;
    private final LookManyScript lookMany;
    private final ChangePermitsScript changePermits;
    private final DowngradeScript downgrade;

    /**
     * Binds them; nothing is sent.
     *
     * @param retention how long a key outlives its last use
     * @param countsReceivers whether a message that Redis delivered to no subscriber was received by none
     */
    public LockScripts(Retention retention, boolean countsReceivers) {
        this.hashes = new HashScripts(retention, countsReceivers);
        this.acquire = new AcquireScript(retention);
        this.goOn = new GoOnScript(retention);
        this.resume = new ResumeScript(retention);
        this.requestRelease = new RequestReleaseScript(retention);
        this.leave = new LeaveScript(countsReceivers);
        this.lookMany = new LookManyScript(retention);
        this.changePermits = new ChangePermitsScript(retention, countsReceivers);
        this.downgrade = new DowngradeScript(retention);
    }

    /** The scripts that acquire, renew and release locks of this kind. */
    public HoldScripts of(LockKind kind) {
        return switch (kind) {
            case STANDARD, READ, PERMITS, QUORUM -> hashes;
            case PLAIN -> strings;
        };
    }

    /** Acquires a lock that is free. */
    public AcquireScript acquire() {
        return acquire;
    }

    /** Renews a hold for a hand-off to another lease of the same process. */
    public GoOnScript goOn() {
        return goOn;
    }

    /** Takes over an exported lease. */
    public ResumeScript resume() {
        return resume;
    }

    /** Asks the holder for the release of a lock. */
    public RequestReleaseScript requestRelease() {
        return requestRelease;
    }

    /** Gives up a position in a queue. */
    public LeaveScript leave() {
        return leave;
    }

    /** Sends the heartbeats of several queue positions. */
    public LookManyScript lookMany() {
        return lookMany;
    }

    /** Changes the number of permits of a semaphore. */
    public ChangePermitsScript changePermits() {
        return changePermits;
    }

    /** Turns a writer's hold into one of readers. */
    public DowngradeScript downgrade() {
        return downgrade;
    }
}
