package dev.leasehold.simulation;

import dev.leasehold.simulation.history.Entry;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * All decisions of one simulation that can be removed to find a shorter history: the actions, and the faults.
 * Everything random (latencies, jitter) depends on the seed, separately for each client.
 *
 * @param clients the number of clients
 * @param locks the number of names
 * @param answersAtOnce whether the transport answers within the call, like a blocking client
 * @param atMostOnce whether the transport promises never to send twice
 * @param retentionMillis the time for which keys outlive their use
 * @param workers the acquisitions of each worker, in order
 * @param extras the other actions of clients
 * @param heals the end of all faults
 * @param ends the end of the simulation
 */
record Plan(
        long seed,
        int clients,
        int locks,
        boolean answersAtOnce,
        boolean atMostOnce,
        long retentionMillis,
        List<Worker> workers,
        List<Extra> extras,
        List<Fault> faults,
        long heals,
        long ends) {

    private static final long FAIR_SEEDS = 3;
    private static final String FAIR_LOCK = "lock-0";
    /** None of the seeds that are kept as regressions is among these. */
    private static final long PLAIN_SEEDS = 8;

    private static final long PLAIN_SEED = 1;
    private static final long READ_SEED = 2;
    private static final long PERMITS_SEED = 4;
    /** In every other of the seeds with a semaphore some acquisitions request several of its permits. */
    private static final long MANY_SEED = 4;

    private static final long MANY_SEEDS = 16;
    private static final int OTHER_LOCK = 1;
    private static final long SEVERAL_SEEDS = 5;
    private static final long SEVERAL_SEED = 1;
    private static final long SEVERAL_OPS = 3;

    /** The acquisitions of one worker of a client. */
    record Worker(int client, List<Op> ops) {}

    Plan withFaults(List<Fault> some) {
        return new Plan(
                seed, clients, locks, answersAtOnce, atMostOnce, retentionMillis, workers, extras, some, heals, ends);
    }

    Plan withExtras(List<Extra> some) {
        return new Plan(
                seed, clients, locks, answersAtOnce, atMostOnce, retentionMillis, workers, some, faults, heals, ends);
    }

    Plan withWorkers(List<Worker> some) {
        return new Plan(
                seed, clients, locks, answersAtOnce, atMostOnce, retentionMillis, some, extras, faults, heals, ends);
    }

    Plan endingAt(long time) {
        long end = Math.min(ends, time);
        return new Plan(
                seed,
                clients,
                locks,
                answersAtOnce,
                atMostOnce,
                retentionMillis,
                workers,
                extras,
                faults,
                Math.min(heals, end),
                end);
    }

    /** Returns the name of the lock of this number: in some seeds one of them is a plain lock, in some a semaphore. */
    String lockName(int number) {
        boolean plain = number == OTHER_LOCK && !ofQuorum() && seed % PLAIN_SEEDS == PLAIN_SEED;
        boolean semaphore = number == semaphore() && independent() && seed % PLAIN_SEEDS == PERMITS_SEED;
        return (plain ? Entry.PLAIN : semaphore ? Entry.PERMITS : "lock-") + number;
    }

    /** Returns the number of the semaphore. Where clients hand locks off, most acquisitions are of the first lock. */
    private int semaphore() {
        return PlanMaker.alike(seed) ? 0 : OTHER_LOCK;
    }

    /** Returns when a worker that is ready now begins with this acquisition: where calls are combined, with others. */
    long beginsAt(Op op, long now) {
        long at = Math.max(op.notBefore(), now);
        return Kinds.COMBINING.in(seed) ? at - at % PlanMaker.TOGETHER + PlanMaker.TOGETHER : at;
    }

    /** Returns whether Redis tells clients of changes of the keys of their leases. */
    boolean tracksKeys() {
        return Kinds.TRACKING.in(seed);
    }

    /** Returns whether timers end on time; otherwise they are late by up to 2 % of their time. */
    boolean timersAreExact() {
        return seed >= PlanMaker.FIRST_EXACT && seed <= PlanMaker.LAST_EXACT;
    }

    /** Returns the number of permits that this acquisition requests, if its lock is a semaphore. */
    int permits(Op op) {
        long kind = op.notBefore() / PlanMaker.MILLI % 5;
        return seed % MANY_SEEDS != MANY_SEED || kind > 1 ? 1 : kind == 0 ? 2 : Entry.ALL_PERMITS;
    }

    /** Returns whether waiters for wake-ups acquire this lock fairly. */
    boolean isFair(String lock) {
        return seed % FAIR_SEEDS == 0 && !ofQuorum() && (lock.equals(FAIR_LOCK) || Entry.isSemaphore(lock));
    }

    /** Returns whether the seed may have other kinds of locks: seeds before these are kept as regressions, and stay as they were. */
    private boolean independent() {
        return seed >= PlanMaker.FIRST && !ofQuorum();
    }

    /** Returns whether a majority of several servers decides; there is only one kind of lock then. */
    boolean ofQuorum() {
        return SeedRange.QUORUM.has(seed);
    }

    /** Returns for how long this acquisition waits for the replica, in ms: at most for a third of its lease; 0 if it does not. */
    long replicaMillis(Op op) {
        if (!SeedRange.REPLICATED.has(seed)) {
            return 0;
        }
        SplittableRandom random = new SplittableRandom(new SplittableRandom(seed + op.notBefore()).nextLong());
        return random.nextInt(10) < 7 ? random.nextLong(5, 300) : 0;
    }

    /** Returns whether this acquisition reads: in some seeds two of three do. */
    boolean reads(Op op, String lock) {
        return independent()
                && seed % PLAIN_SEEDS == READ_SEED
                && !Entry.isPlain(lock)
                && op.notBefore() / PlanMaker.MILLI % 3 > 0;
    }

    /**
     * Returns the number of the lock that is acquired together with this one; in some seeds some operations take
     * two. Below 0 if there is none.
     */
    int otherLock(Op op) {
        int first = op.lock() % locks;
        int other = (first + 1) % locks;
        boolean several = independent()
                && seed % SEVERAL_SEEDS == SEVERAL_SEED
                && op.owner() == null
                && op.notBefore() / PlanMaker.MILLI % SEVERAL_OPS == 0;
        return several && ordinary(first) && ordinary(other) ? other : -1;
    }

    /**
     * The transfer of a lease to another process.
     *
     * @param after the time of the export after the grant
     * @param client the client that resumes it
     * @param delay the time that its string takes
     * @param way its holder's actions then
     * @param second a second client that tries to resume it; below 0 if there is none
     * @param cancelAfter the time after which the resuming client gives up; below 0 if it does not
     */
    record Export(long after, int client, long delay, Way way, int second, long cancelAfter) {}

    /** The actions of a holder that has exported its lease. */
    enum Way {
        /** Closes the lease immediately. */
        CLOSES,
        /** Continues, and closes it in the end. */
        GOES_ON,
        /** Continues, and releases the lock in the end. */
        RELEASES
    }

    /** Returns the export of the lease of this operation, in some seeds; null if there is none. */
    @Nullable
    Export export(Op op) {
        if (!Kinds.EXPORTS.in(seed)) {
            return null;
        }
        SplittableRandom random = new SplittableRandom(new SplittableRandom(seed ^ ~op.notBefore()).nextLong());
        if (random.nextInt(5) > 1) {
            return null;
        }
        long delay = PlanMaker.MILLI * random.nextLong(random.nextBoolean() ? 4 : random.nextBoolean() ? 400 : 3000);
        return new Export(
                random.nextLong(op.body() / 2 + 1),
                random.nextInt(clients),
                delay,
                Way.values()[random.nextInt(3)],
                random.nextInt(3) == 0 ? random.nextInt(clients) : -1,
                random.nextInt(6) == 0 ? random.nextLong(PlanMaker.MILLI) : -1);
    }

    private boolean ordinary(int lock) {
        String name = lockName(lock);
        return !isFair(name) && !Entry.isPlain(name) && !Entry.isSemaphore(name);
    }

    int operations() {
        return workers.stream().mapToInt(worker -> worker.ops().size()).sum();
    }

    /** Returns the plan with the operations of one worker replaced by these. */
    Plan withOps(int worker, List<Op> ops) {
        List<Worker> changed = new ArrayList<>(workers);
        changed.set(worker, new Worker(workers.get(worker).client(), ops));
        return withWorkers(changed);
    }
}
