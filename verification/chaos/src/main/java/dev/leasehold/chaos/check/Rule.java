package dev.leasehold.chaos.check;

/** The rules by which a run is judged. */
public enum Rule {
    /** Two leases never claim a lock at the same time. */
    C1("claimed exclusion"),
    /** Who was told that a lease is lost is never told again that it is held, nor that a lease lasts longer than it can. */
    C2("no silent use"),
    /** A loss is told once, and in time. */
    C3("detection bound"),
    /** Tokens rise from holder to holder. */
    C4("fencing order"),
    /** What the guarded resource accepted was written in the order of tokens, and nothing was overwritten unseen. */
    C5("resource accepts"),
    /** An acquisition enters once. */
    C6("request ids at most once"),
    /** Once all is well again everybody gets on, and nothing is left behind. */
    C7("liveness after healing"),
    /** Waits end in time, and fair locks are taken in turn. */
    C8("waits and turns"),
    /** What an unknown acquisition may have taken comes back, and who was not granted does nothing. */
    C9("unknowns");

    private final String title;

    Rule(String title) {
        this.title = title;
    }

    /** In a few words. */
    public String title() {
        return title;
    }
}
