package dev.leasehold.simulation;

/**
 * One fault of a plan.
 *
 * @param at when it begins
 * @param duration how long it lasts, if it lasts
 * @param client which client, or -1
 * @param amount by how much: nanoseconds of a delay or step, writes that are lost, the number of a lock
 * @param chance in how many of 100 cases a request is met
 */
record Fault(FaultKind kind, long at, long duration, int client, long amount, int chance) {

    boolean activeAt(long time) {
        return time >= at && time < at + duration;
    }

    /** Until when it may be felt: what was delayed at the last moment is under way for a while. */
    long felt() {
        return switch (kind) {
            case REQUEST_DELAYED, REPLY_DELAYED, REORDERED, DOUBLED -> at + duration + amount;
            default -> at + duration;
        };
    }

    @Override
    public String toString() {
        return String.format(
                "%.3f s %s%s for %.3f s, amount %d, %d %%",
                at / 1e9, kind, client < 0 ? "" : " client " + client, duration / 1e9, amount, chance);
    }
}
