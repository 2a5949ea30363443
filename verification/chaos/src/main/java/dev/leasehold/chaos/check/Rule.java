package dev.leasehold.chaos.check;

/** The rules by which a run is judged. */
public enum Rule {
    /** Two leases never claim a lock at the same time. */
    C1("claimed exclusion"),
    /**
     * A lease that was reported as lost is never reported as held again, and no lease is reported to last longer
     * than it can.
     */
    C2("no silent use"),
    /** A loss is reported once, and in time. */
    C3("detection bound"),
    /** Tokens rise from holder to holder. */
    C4("fencing order"),
    /** The guarded resource accepted writes in the order of tokens, and no write was overwritten unseen. */
    C5("resource accepts"),
    /** An acquisition enters once. */
    C6("request ids at most once"),
    /** After the end of all faults every client acquires again, and nothing is left behind. */
    C7("liveness after healing"),
    /** Waits end in time, and fair locks are granted in order. */
    C8("waits and turns"),
    /**
     * A lock that an unknown acquisition may have taken is released, and a client that was not granted does
     * nothing.
     */
    C9("unknowns");

    private final String title;

    Rule(String title) {
        this.title = title;
    }

    /** Returns its title in a few words. */
    public String title() {
        return title;
    }
}
