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

    @Override
    public String toString() {
        return String.format(
                "%.3f s %s%s for %.3f s, amount %d, %d %%",
                at / 1e9, kind, client < 0 ? "" : " client " + client, duration / 1e9, amount, chance);
    }
}
