package dev.leasehold.simulation.history;

/** The rules for histories. */
public enum Rule {
    /** Two owners never claim a lock at the same time, by the deadlines that the library itself reported. */
    C1("claimed exclusion"),
    /** A lease that reports to be held is held in Redis, and a lost one never reports so again. */
    C2("no silent use"),
    /** A loss is reported once, and in time. */
    C3("detection bound"),
    /** Tokens rise with every change of the holders. */
    C4("fencing order"),
    /** No accepted write overwrites one that it has not seen. */
    C5("resource accepts"),
    /** An acquisition takes effect once, and not after its release. */
    C6("request ids at most once"),
    /** After the end of all faults every client acquires again and nothing is left behind. */
    C7("liveness after healing"),
    /** Waits end in time, and no client waits while the lock is free. No order among waiters is promised. */
    C8("waits end in time"),
    /**
     * A lock that an unknown acquire may have taken is released, and a caller that is told it holds nothing holds
     * nothing.
     */
    C9("unknowns"),
    /** A latch is reached when as many have counted down, each once; then all waiters pass, and none before. */
    C10("latches"),
    /**
     * A leader is notified of each term once, of begin and end in turn, and of the end before the next begin; there
     * is a leader while there are candidates.
     */
    C11("terms of leaders"),
    /** An exported lease is resumed once, and its former holder is notified and never confirmed again. */
    C12("taken over"),
    /** The holder at the time of a release request receives it once, in time; no other client does. */
    C13("asked to release"),
    /** A client that is asked for a lock that it retains takes it over no more. */
    C14("retained"),
    /** A lease that waits for a replica reports to be held only while the replica has its hold. */
    C15("replicated"),
    /** The loss of a minority of the servers costs no lease, and once all faults are over a majority answers. */
    C16("majority"),
    /** An acquisition that Redis granted ends soon, also if the answer was lost. */
    C17("granted, and told so"),
    /** Nobody else gets a lock before the minimum hold of its last lease is over. */
    C18("minimum hold"),
    /** A request of an operator has no effect after its caller gave up. */
    C19("late requests"),
    /** Readers that hold together have one token. */
    C20("one token of readers"),
    /** A client replaces a silent connection soon, whatever its callers wait for. */
    C21("silent connections");

    final String title;

    Rule(String title) {
        this.title = title;
    }

    /** Returns its title in a few words. */
    public String title() {
        return title;
    }
}
