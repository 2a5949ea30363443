package dev.leasehold.simulation;

/**
 * One fault of a plan.
 *
 * @param at its start
 * @param duration its duration, if it has one
 * @param client the client, or -1
 * @param amount its size: nanoseconds of a delay or step, lost writes, the number of a lock
 * @param chance the percentage of affected requests
 */
record Fault(FaultKind kind, long at, long duration, int client, long amount, int chance) {

    boolean activeAt(long time) {
        return time >= at && time < at + duration;
    }

    /** Returns the end of its effects: a request that was delayed at the last moment is on its way for a while. */
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
