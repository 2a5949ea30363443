package dev.leasehold.simulation;

/**
 * One fault of a plan.
 *
 * @param at its start
 * @param duration its duration, if it has one
 * @param client the client; -1 the server, and of several the first, -2 the second, and so on
 * @param amount its size: nanoseconds of a delay or step, lost writes, the number of a lock, of a connection, or of
 *     answers that arrive before
 * @param chance the percentage of affected requests
 */
record Fault(FaultKind kind, long at, long duration, int client, long amount, int chance) {

    /** The server, or the first of several. */
    static final int SERVER = -1;

    /** Returns the number of the server that it concerns; below 0 if it concerns a client. */
    int server() {
        return SERVER - client;
    }

    /** Returns whether it concerns the path to a server: of several, to one of them or to all. */
    boolean isOnPathTo(int number, int servers) {
        long which = at / PlanMaker.MILLI % (servers + 2);
        return servers == 1 || which >= servers || which == number;
    }

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
