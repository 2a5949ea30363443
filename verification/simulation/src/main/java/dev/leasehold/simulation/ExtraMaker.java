package dev.leasehold.simulation;

import dev.leasehold.simulation.history.Entry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Generates the actions of clients besides acquiring locks: in some seeds they use latches, in some they are
 * candidates, in some they request the release of locks. It has random numbers of its own, so that the rest of a
 * plan does not depend on it.
 */
final class ExtraMaker {

    private static final long SECOND = PlanMaker.SECOND;
    private static final long MILLI = PlanMaker.MILLI;

    /** Long enough before the end for all to end. */
    private static final long LAST = 62 * SECOND;

    private static final int LATCHES = 2;
    private static final String ELECTION = Entry.ELECTION + 0;

    private final SplittableRandom random;
    private final int clients;
    private final int locks;
    private final List<Extra> extras = new ArrayList<>();

    private ExtraMaker(long seed, int clients, int locks) {
        this.random = new SplittableRandom(new SplittableRandom(~seed).nextLong());
        this.clients = clients;
        this.locks = locks;
    }

    static List<Extra> of(long seed, int clients, int locks) {
        ExtraMaker maker = new ExtraMaker(seed, clients, locks);
        if (Kinds.LATCHES.in(seed)) {
            maker.latches();
        }
        if (Kinds.ELECTION.in(seed)) {
            maker.election();
        }
        if (Kinds.REQUESTS.in(seed)) {
            maker.requests();
        }
        maker.extras.sort(Comparator.comparingLong(Extra::at));
        return maker.extras;
    }

    private void latches() {
        long at = between(50, 500) * MILLI;
        for (int round = 0; at < LAST; round++) {
            latch(Entry.LATCH + round % LATCHES, round, at);
            at += between(1500, 4500) * MILLI;
        }
    }

    /**
     * Adds one use of a latch: each participant sets it; parts of the work are done, some of them twice, and some
     * participants wait for all.
     */
    private void latch(String name, int round, long from) {
        int count = random.nextInt(1, 6);
        long expiry = between(1500, 6000) * MILLI;
        for (int client = 0; client < clients; client++) {
            add(Extra.Kind.LATCH_SET, from + between(0, 120) * MILLI, client, name, "", count, expiry);
        }
        boolean lacksOne = chance(20);
        for (int part = lacksOne ? 1 : 0; part < count; part++) {
            long at = from + between(130, 2000) * MILLI;
            String id = chance(20) ? "" : "part-" + round + "-" + part;
            add(Extra.Kind.LATCH_COUNT, at, anyClient(), name, id, 0, 0);
            if (!id.isEmpty() && chance(40)) {
                // Repeated by another client that does not know of it.
                add(Extra.Kind.LATCH_COUNT, at + between(0, 1000) * MILLI, anyClient(), name, id, 0, 0);
            }
        }
        int awaits = random.nextInt(2, 8);
        for (int i = 0; i < awaits; i++) {
            long wait = chance(35) ? -1 : chance(8) ? 0 : between(3, 4000) * MILLI;
            long cancelled = chance(8) ? between(0, 1500) * MILLI : -1;
            add(Extra.Kind.LATCH_AWAIT, from + between(0, 2500) * MILLI, anyClient(), name, "", cancelled, wait);
        }
        add(Extra.Kind.LATCH_READ, from + between(0, 4000) * MILLI, anyClient(), name, "", 0, 0);
    }

    private void election() {
        for (int client = 0; client < clients; client++) {
            long at = between(10, 2000) * MILLI;
            while (at < LAST - SECOND) {
                long stays = Math.min(chance(25) ? LAST : between(1000, 14_000) * MILLI, LAST - at);
                add(Extra.Kind.STAND_FOR_ELECTION, at, client, ELECTION, "", stays, between(1000, 2500) * MILLI);
                at += stays + between(1, 2500) * MILLI;
            }
        }
        for (long at = SECOND; at < LAST; at += between(100, 2500) * MILLI) {
            add(Extra.Kind.RESIGN, at, anyClient(), ELECTION, "", 0, 0);
        }
    }

    private void requests() {
        for (long at = between(10, 800) * MILLI; at < LAST; at += between(20, 700) * MILLI) {
            // Most locks are used as often as in the plan of the workers: where clients hand locks off, mostly the
            // first.
            int lock = chance(40) ? 0 : random.nextInt(locks);
            add(Extra.Kind.REQUEST, at, anyClient(), Integer.toString(lock), "", 0, 0);
        }
    }

    private void add(Extra.Kind kind, long at, int client, String name, String id, long amount, long wait) {
        extras.add(new Extra(kind, at, client, name, id, amount, wait));
    }

    private int anyClient() {
        return random.nextInt(clients);
    }

    private boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    private long between(long least, long most) {
        return random.nextLong(least, most + 1);
    }
}
