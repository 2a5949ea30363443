package dev.leasehold.internal.redis.server;

import dev.leasehold.internal.redis.server.Servers.Detour;

/**
 * One sending of a call.
 *
 * @param server where to
 * @param way over which path
 * @param asking whether behind ASKING
 * @param bySource whether the whole script is sent
 * @param detours how many servers sent it elsewhere
 */
record Leg(Server server, Way way, boolean asking, boolean bySource, int detours) {

    /** The first sending of calls to a server, all of which share it. */
    static Leg first(Server server, Way way) {
        return new Leg(server, way, false, false, 0);
    }

    Leg withSource() {
        return new Leg(server, way, asking, true, detours);
    }

    Leg detour(Detour to) {
        return new Leg(to.server(), way, to.asking(), bySource, detours + 1);
    }
}
