package dev.leasehold.simulation;

import dev.leasehold.simulation.history.Entry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Generates the actions of clients besides acquiring locks: they use latches, are candidates, request the release of
 * locks, take them away, or change their permits. It has random numbers of its own, so that the rest of a plan does not depend on it.
 */
final class ExtraMaker {

    private static final long SECOND = PlanMaker.SECOND;
    private static final long MILLI = PlanMaker.MILLI;

    /** Long enough before the end for all to end. */
    private static final long LAST = 62 * SECOND;

    private static final int LATCHES = 2;
    /** Above the uses of other latches, whose count-downs have other ids. */
    private static final int FIRST_ROUND = 1000;

    private static final long MOST_PERMITS = 5;
    private static final String ELECTION = Entry.ELECTION + 0;

    private final Draws draws;
    private final int clients;
    private final int locks;
    private final List<Extra> extras = new ArrayList<>();

    ExtraMaker(Draws draws, int clients, int locks) {
        this.draws = draws;
        this.clients = clients;
        this.locks = locks;
    }

    /** Returns what was added, in the order of time. */
    List<Extra> extras() {
        extras.sort(Comparator.comparingLong(Extra::at));
        return extras;
    }

    void latches() {
        long at = draws.between(50, 500) * MILLI;
        for (int round = 0; at < LAST; round++) {
            latch(Entry.LATCH + round % LATCHES, round, at);
            at += draws.between(1500, 4500) * MILLI;
        }
    }

    /**
     * Adds rounds of one latch: each follows the one before it, a number may be left out, and some participants ask for a
     * former round, or for one that nobody sets.
     */
    void rounds() {
        String latch = Entry.LATCH + "rounds";
        long at = draws.between(50, 500) * MILLI;
        long number = draws.below(3);
        for (int round = 0; at < LAST; round++) {
            latch(Entry.roundOf(latch, Long.toString(number)), FIRST_ROUND + round, at);
            long other = number + draws.between(-2, 1);
            for (int i = draws.count(1, 3); i > 0 && other >= 0; i--) {
                Extra.Kind kind = draws.chance(60)
                        ? Extra.Kind.LATCH_AWAIT
                        : draws.either() ? Extra.Kind.LATCH_COUNT : Extra.Kind.LATCH_READ;
                long wait = kind == Extra.Kind.LATCH_AWAIT ? draws.between(3, 4000) * MILLI : 0;
                String name = Entry.roundOf(latch, Long.toString(other));
                add(kind, at + draws.between(0, 2500) * MILLI, anyClient(), name, "", 0, wait);
            }
            number += draws.chance(15) ? 2 : 1;
            at += draws.between(1000, 3500) * MILLI;
        }
    }

    /**
     * Adds one use of a latch: each participant sets it; parts of the work are done, some of them twice, and some
     * participants wait for all.
     */
    private void latch(String name, int round, long from) {
        int count = draws.count(1, 5);
        long expiry = draws.between(1500, 6000) * MILLI;
        for (int client = 0; client < clients; client++) {
            add(Extra.Kind.LATCH_SET, from + draws.between(0, 120) * MILLI, client, name, "", count, expiry);
        }
        boolean lacksOne = draws.chance(20);
        for (int part = lacksOne ? 1 : 0; part < count; part++) {
            long at = from + draws.between(130, 2000) * MILLI;
            String id = draws.chance(20) ? "" : "part-" + round + "-" + part;
            add(Extra.Kind.LATCH_COUNT, at, anyClient(), name, id, 0, 0);
            if (!id.isEmpty() && draws.chance(40)) {
                // Repeated by another client that does not know of it.
                add(Extra.Kind.LATCH_COUNT, at + draws.between(0, 1000) * MILLI, anyClient(), name, id, 0, 0);
            }
        }
        int awaits = draws.count(2, 7);
        for (int i = 0; i < awaits; i++) {
            long wait = draws.chance(35) ? -1 : draws.chance(8) ? 0 : draws.between(3, 4000) * MILLI;
            long cancelled = draws.chance(8) ? draws.between(0, 1500) * MILLI : -1;
            add(
                    Extra.Kind.LATCH_AWAIT,
                    from + draws.between(0, 2500) * MILLI,
                    anyClient(),
                    name,
                    "",
                    0,
                    wait,
                    cancelled);
        }
        add(Extra.Kind.LATCH_READ, from + draws.between(0, 4000) * MILLI, anyClient(), name, "", 0, 0);
    }

    void election() {
        for (int client = 0; client < clients; client++) {
            long at = draws.between(10, 2000) * MILLI;
            while (at < LAST - SECOND) {
                long stays = Math.min(draws.chance(25) ? LAST : draws.between(1000, 14_000) * MILLI, LAST - at);
                add(Extra.Kind.STAND_FOR_ELECTION, at, client, ELECTION, "", stays, draws.between(1000, 2500) * MILLI);
                at += stays + draws.between(1, 2500) * MILLI;
            }
        }
        for (long at = SECOND; at < LAST; at += draws.between(100, 2500) * MILLI) {
            add(Extra.Kind.RESIGN, at, anyClient(), ELECTION, "", 0, 0);
        }
    }

    void requests() {
        for (long at = draws.between(10, 800) * MILLI; at < LAST; at += draws.between(20, 700) * MILLI) {
            // Most locks are used as often as in the plan of the workers: where clients hand locks off, mostly the
            // first.
            int lock = draws.chance(40) ? 0 : draws.below(locks);
            add(Extra.Kind.REQUEST, at, anyClient(), Integer.toString(lock), "", 0, 0);
        }
    }

    void forcedReleases() {
        for (long at = draws.between(500, 3000) * MILLI; at < LAST; at += draws.between(300, 5000) * MILLI) {
            forcedRelease(at, anyClient());
        }
    }

    private void forcedRelease(long at, int client) {
        int lock = draws.chance(40) ? 0 : draws.below(locks);
        add(Extra.Kind.FORCE_RELEASE, at, client, Integer.toString(lock), "", 0, 0);
    }

    void changedPermits(List<Integer> semaphores) {
        for (long at = draws.between(500, 5000) * MILLI; at < LAST; at += draws.between(300, 8000) * MILLI) {
            changedPermits(at, anyClient(), semaphores);
        }
    }

    private void changedPermits(long at, int client, List<Integer> semaphores) {
        int semaphore = semaphores.get(draws.below(semaphores.size()));
        long permits = draws.chance(40) ? Entry.ALL_PERMITS : draws.between(2, MOST_PERMITS);
        add(Extra.Kind.CHANGE_PERMITS, at, client, Integer.toString(semaphore), "", permits, 0);
    }

    /** Adds requests of an operator whose requests arrive again. */
    void repeated(Fault doubled, boolean forces, List<Integer> semaphores) {
        for (long at = doubled.at(); doubled.activeAt(at); at += draws.between(100, 1500) * MILLI) {
            if (forces) {
                forcedRelease(at, doubled.client());
            }
            if (!semaphores.isEmpty()) {
                changedPermits(at, doubled.client(), semaphores);
            }
        }
    }

    private void add(Extra.Kind kind, long at, int client, String name, String id, long amount, long span) {
        add(kind, at, client, name, id, amount, span, -1);
    }

    private void add(
            Extra.Kind kind, long at, int client, String name, String id, long amount, long span, long cancelAfter) {
        extras.add(new Extra(kind, at, client, name, id, amount, span, cancelAfter));
    }

    private int anyClient() {
        return draws.below(clients);
    }
}
