package dev.leasehold.simulation.history;

/** The rules by which a history is judged. */
public enum Rule {
    /** Two owners never claim a lock at the same time, by the deadlines that the library itself gave them. */
    C1("claimed exclusion"),
    /** A lease that says it is held is held in Redis, and a lost one never says so again. */
    C2("no silent use"),
    /** A loss is told once, and in time. */
    C3("detection bound"),
    /** Tokens rise with every change of the holders. */
    C4("fencing order"),
    /** No accepted write overwrites one that it has not seen. */
    C5("resource accepts"),
    /** An acquisition takes effect once, and not after its release. */
    C6("request ids at most once"),
    /** Once all is well again, everybody gets on and nothing is left behind. */
    C7("liveness after healing"),
    /** Waits end in time, and nobody waits while the lock is free. No order among waiters is promised. */
    C8("waits end in time"),
    /** What an unknown acquire may have taken is given back, and one that is said to hold nothing holds nothing. */
    C9("unknowns"),
    /** A latch is reached when as many have counted down, each once; then all who wait come through, and nobody before. */
    C10("latches"),
    /** A leader is told of each term once, begun and ended in turn, and ended before the next; somebody leads while some stand. */
    C11("terms of leaders"),
    /** An exported lease is taken over once, from its holder, who is told and never confirmed again. */
    C12("taken over"),
    /** Who holds when somebody asks for the release hears of it once, in time; nobody else does. */
    C13("asked to release");

    final String title;

    Rule(String title) {
        this.title = title;
    }

    /** In a few words. */
    public String title() {
        return title;
    }
}
