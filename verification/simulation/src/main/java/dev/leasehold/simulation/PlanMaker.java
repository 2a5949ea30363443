package dev.leasehold.simulation;

import dev.leasehold.simulation.history.Entry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Makes the plan of a seed. The remainders of a seed say which features it has, so that some never meet others: the
 * seeds from {@link SeedRange#MIXED} on are left to {@link MixedPlanMaker}, which draws each feature for itself.
 */
final class PlanMaker {

    static final long SECOND = 1_000_000_000;
    static final long MILLI = 1_000_000;

    static final long HEALS = 44 * SECOND;
    private static final long ENDS = 70 * SECOND;
    /** Requests to a quorum cost more, so its seeds are shorter. */
    private static final long HEALS_QUORUM = 24 * SECOND;

    private static final long ENDS_QUORUM = 46 * SECOND;
    private static final int CLIENTS_QUORUM = 3;
    private static final int LOCKS_QUORUM = 2;
    /** Time for the last acquisitions to end and be released. */
    static final long REST = 12 * SECOND;

    /**
     * In these seeds most waiters use the queue; the seeds that are kept as regressions are among the others, which
     * poll.
     */
    private static final Set<Long> WOKEN = Set.of(0L, 1L, 3L, 4L, 6L, 7L);

    private static final int PERIOD = 11;

    /**
     * Up to here a seed draws the numbers of its neighbour one later, because the golden number is also the step of
     * the generator. These seeds stay as they were when some of them were kept as regressions.
     */
    private static final long LAST_ALIKE = 999_999;

    /** From here on seeds are independent, so a run begins here. */
    static final long FIRST = 1_000_001;

    /**
     * Between these a run goes on, and timers are exact. Others, some of which are kept, stay as they were; in one of some 60,000 of
     * them a lease is told its end later than C3 allows, because it shares a late timer.
     */
    static final long FIRST_EXACT = 9_034_401;

    static final long LAST_EXACT = 9_999_999;

    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    private static final int WORKERS = 2;

    /** The number of workers of one client, where leases are alike, that makes it hand a lock off. */
    private static final int WORKERS_ALIKE = 5;

    private static final int MOSTLY_ONE_LOCK = 94;

    /** Where requests are combined, the workers of a client begin at the same moments, mostly with different locks. */
    static final long TOGETHER = 1000 * MILLI;

    /** Holders that were granted together release together, too. */
    private static final long RELEASED_TOGETHER = 100 * MILLI;

    private static final int LOCKS_COMBINING = 24;
    private static final int CLIENTS_COMBINING = 3;
    private static final int WORKERS_COMBINING = 10;

    private static final long LEASE_ALIKE = 2000;

    private static final long FAIR_SEEDS = 3;
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
    private static final long LEAST_RETAINED = 100;

    private final long seed;
    private final SplittableRandom random;
    private final Draws draws;
    private final int clients;
    private final List<String> locks;
    private final boolean atMostOnce;
    private final boolean wakeUps;
    private final boolean alike;
    private final boolean combining;
    private final boolean quorum;
    private final boolean replicated;
    private final long heals;
    private final long ends;

    private PlanMaker(long seed) {
        this.seed = seed;
        this.random = new SplittableRandom(
                seed <= LAST_ALIKE ? seed * GOLDEN + 1 : new SplittableRandom(seed - GOLDEN).nextLong());
        this.draws = new Draws(random);
        this.combining = Kinds.COMBINING.in(seed);
        this.quorum = SeedRange.QUORUM.has(seed);
        this.heals = quorum ? HEALS_QUORUM : HEALS;
        this.ends = quorum ? ENDS_QUORUM : ENDS;
        int others = random.nextInt(2);
        this.clients = combining ? CLIENTS_COMBINING : quorum ? CLIENTS_QUORUM : 4 + others;
        int some = combining ? LOCKS_COMBINING : quorum ? LOCKS_QUORUM : 3 + random.nextInt(2);
        this.atMostOnce = random.nextInt(3) > 0 || combining || quorum;
        this.wakeUps = wakesUp(seed);
        this.alike = alike(seed);
        this.replicated = SeedRange.REPLICATED.has(seed);
        this.locks = IntStream.range(0, some).mapToObj(this::lockName).toList();
    }

    private static boolean wakesUp(long seed) {
        return WOKEN.contains(seed % PERIOD) && !SeedRange.QUORUM.has(seed);
    }

    /** Returns whether clients hand locks off in this seed. */
    private static boolean alike(long seed) {
        return wakesUp(seed) && seed % 2 == 0;
    }

    private int servers() {
        return !quorum ? 1 : seed % 4 == 3 ? 5 : 3;
    }

    /** Returns the name of the lock of this number: in some seeds one of them is a plain lock, in some a semaphore. */
    private String lockName(int number) {
        boolean plain = number == OTHER_LOCK && !quorum && seed % PLAIN_SEEDS == PLAIN_SEED;
        // Where clients hand locks off, most acquisitions are of the first lock.
        boolean semaphore = number == (alike ? 0 : OTHER_LOCK) && independent() && seed % PLAIN_SEEDS == PERMITS_SEED;
        return (plain ? Entry.PLAIN : semaphore ? Entry.PERMITS : Entry.LOCK) + number;
    }

    /**
     * Returns whether the seed may have other kinds of locks: seeds before these are kept as regressions, and stay as
     * they were.
     */
    private boolean independent() {
        return seed >= FIRST && !quorum;
    }

    static Plan of(long seed) {
        return SeedRange.MIXED.has(seed) ? MixedPlanMaker.of(seed) : new PlanMaker(seed).plan();
    }

    private Plan plan() {
        boolean answersAtOnce = random.nextBoolean() && !combining;
        long memory = random.nextInt(3) == 0 ? 1000 : 1000L * random.nextInt(2, 30);
        // Short holds beside a long token memory are released in the usual way.
        memory = combining ? 1000L * random.nextInt(10, 30) : memory;
        List<Plan.Worker> workers = new ArrayList<>();
        for (int client = 0; client < clients; client++) {
            for (int i = 0; i < (combining ? WORKERS_COMBINING : alike ? WORKERS_ALIKE : WORKERS); i++) {
                int number = client;
                List<Op> ops = retains(client) ? opsInQuickSuccession() : ops();
                workers.add(new Plan.Worker(
                        client,
                        ops.stream().map(op -> op.using(use(number, op))).toList()));
            }
        }
        Setup setup = new Setup(
                clients,
                locks,
                servers(),
                replicated,
                seed % 2 == 0 ? 400 : 1500,
                memory,
                answersAtOnce,
                atMostOnce,
                seed >= FIRST_EXACT && seed <= LAST_EXACT,
                wakeUps,
                combining,
                Kinds.TRACKING.in(seed),
                Kinds.REQUESTS.in(seed));
        return new Plan(seed, setup, workers, extras(), faults(), heals, ends);
    }

    private List<Extra> extras() {
        ExtraMaker maker = new ExtraMaker(Draws.of(~seed), clients, locks.size());
        if (Kinds.LATCHES.in(seed)) {
            maker.latches();
        }
        if (Kinds.ELECTION.in(seed)) {
            maker.election();
        }
        if (Kinds.REQUESTS.in(seed)) {
            maker.requests();
        }
        return maker.extras();
    }

    /** Returns the features that an acquisition of a client uses. */
    private Use use(int client, Op op) {
        int number = op.lock() % locks.size();
        String lock = locks.get(number);
        int other = otherLock(op, number);
        boolean reads = other < 0 && reads(op, lock);
        boolean fair = op.wakeUps() && !reads && isFair(lock);
        boolean exclusive = !reads && Entry.isOrdinary(lock) && op.owner() == null && other < 0;
        boolean retains = retains(client) && exclusive && !fair;
        return new Use(
                reads,
                fair,
                Entry.isSemaphore(lock) ? permits(op) : 0,
                other,
                retains ? LEAST_RETAINED + seed / 16 % 10 * LEAST_RETAINED : 0,
                0,
                retains ? 0 : replicaMillis(op),
                -1,
                other < 0 && !reads && Entry.isOrdinary(lock) ? export(op) : null);
    }

    private int permits(Op op) {
        long kind = op.notBefore() / MILLI % 5;
        return seed % MANY_SEEDS != MANY_SEED || kind > 1 ? 1 : kind == 0 ? 2 : Entry.ALL_PERMITS;
    }

    /** Returns whether waiters for wake-ups acquire this lock fairly. */
    private boolean isFair(String lock) {
        return seed % FAIR_SEEDS == 0 && !quorum && (lock.equals(Entry.LOCK + 0) || Entry.isSemaphore(lock));
    }

    /**
     * Returns for how long this acquisition waits for the replica, in ms: at most for a third of its lease; 0 if it
     * does not.
     */
    private long replicaMillis(Op op) {
        if (!replicated) {
            return 0;
        }
        Draws some = Draws.of(seed + op.notBefore());
        return some.below(10) < 7 ? some.between(5, 299) : 0;
    }

    /** Returns whether this acquisition reads: in some seeds two of three do. */
    private boolean reads(Op op, String lock) {
        return independent()
                && seed % PLAIN_SEEDS == READ_SEED
                && !Entry.isPlain(lock)
                && op.notBefore() / MILLI % 3 > 0;
    }

    /**
     * Returns the number of the lock that is acquired together with this one; in some seeds some operations take
     * two. Below 0 if there is none.
     */
    private int otherLock(Op op, int first) {
        int other = (first + 1) % locks.size();
        boolean several = independent()
                && seed % SEVERAL_SEEDS == SEVERAL_SEED
                && op.owner() == null
                && op.notBefore() / MILLI % SEVERAL_OPS == 0;
        return several && ordinary(first) && ordinary(other) ? other : -1;
    }

    private boolean ordinary(int lock) {
        String name = locks.get(lock);
        return !isFair(name) && Entry.isOrdinary(name);
    }

    /** Returns the export of the lease of this operation, in some seeds; null if there is none. */
    private Use.@Nullable Export export(Op op) {
        if (!Kinds.EXPORTS.in(seed)) {
            return null;
        }
        Draws some = Draws.of(seed ^ ~op.notBefore());
        if (some.below(5) > 1) {
            return null;
        }
        long delay = MILLI * some.below(some.either() ? 4L : some.either() ? 400L : 3000L);
        return new Use.Export(
                some.below(op.body() / 2 + 1),
                some.below(clients),
                delay,
                Use.Way.drawn(some),
                some.below(3) == 0 ? some.below(clients) : -1,
                some.below(6) == 0 ? some.below(MILLI) : -1);
    }

    private List<Fault> faults() {
        FaultMaker maker = new FaultMaker(draws, clients, locks.size(), heals);
        if (quorum) {
            return seed % 4 == 2 ? maker.faultsOfMinority(servers()) : maker.faultsOfQuorum(servers());
        }
        List<Fault> faults = maker.faults(atMostOnce, wakeUps);
        if (replicated) {
            faults.addAll(maker.faultsOfReplica());
            faults.sort(Comparator.comparingLong(Fault::at));
        }
        return faults;
    }

    private List<Op> ops() {
        List<Op> ops = new ArrayList<>();
        long at = 0;
        // A little more than is needed, so that workers can make up for the time that faults cost.
        while (at < ends - REST) {
            at += draws.between(5, at > heals ? 500 : draws.chance(20) ? 4000 : quorum ? 1000 : 2600) * MILLI;
            ops.add(op(at));
        }
        return ops;
    }

    /** Returns whether this client retains its holds: in some seeds a third of the clients do. */
    private boolean retains(int client) {
        return Kinds.RETENTION.in(seed) && client % 3 == 0;
    }

    /** Makes acquisitions of mostly one lock, so soon after each other that most find a hold that is retained. */
    private List<Op> opsInQuickSuccession() {
        int most = seed % 3 == 0 ? 1 : 0;
        List<Op> ops = new ArrayList<>();
        for (long at = 0; at < ends - REST; at += draws.between(5, draws.chance(70) ? 200 : 2600) * MILLI) {
            Op op = op(at);
            ops.add(draws.chance(80) ? op.briefly(most, op.body() / (draws.chance(80) ? 20 : 1)) : op);
        }
        return ops;
    }

    private Op op(long notBefore) {
        long lease = draws.between(1000, 3000);
        int renewals = draws.pick(0, 0, Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE, 1, 3);
        if (alike) {
            lease = LEASE_ALIKE;
            renewals = seed % 4 == 0 ? 0 : Integer.MAX_VALUE;
        }
        long body = draws.chance(quorum ? 30 : 8)
                ? draws.between(1000, 5000) * MILLI
                : draws.chance(25) ? draws.between(100, 1000) * MILLI : draws.between(1, 100) * MILLI;
        if (alike && body < 100 * MILLI) {
            body /= 8;
        }
        body = combining ? body / RELEASED_TOGETHER * RELEASED_TOGETHER + RELEASED_TOGETHER : body;
        long wait = draws.chance(40) ? 0 : draws.chance(25) ? -1 : draws.between(3, 4000) * MILLI;
        return new Op(
                notBefore,
                lock(),
                wait,
                lease,
                renewals,
                draws.chance(10) ? draws.between(500, 4000) : 0,
                draws.between(250, 1200),
                wakeUps && !draws.chance(20),
                draws.chance(15) && !quorum ? "owner-" + random.nextInt(2) : null,
                draws.chance(8)
                        ? (draws.chance(50) ? draws.between(0, 2000) * 1000 : draws.between(1, 1500) * MILLI)
                        : -1,
                body,
                acts(body),
                draws.chance(15),
                draws.chance(10) ? draws.between(0, 3000) * MILLI : -1,
                Use.NONE);
    }

    private int lock() {
        int lock = random.nextInt(locks.size());
        return alike && !combining && draws.chance(MOSTLY_ONE_LOCK) ? 0 : lock;
    }

    private List<Op.Act> acts(long body) {
        List<Op.Act> acts = new ArrayList<>();
        acts.add(new Op.Act(Op.Kind.READ, random.nextLong(body / 4 + 1), 0, -1));
        acts.add(new Op.Act(Op.Kind.WRITE, body / 4 + random.nextLong(body), delayToResource(), -1));
        int more = random.nextInt(4);
        for (int i = 0; i < more; i++) {
            Op.Kind kind = draws.chance(15) ? Op.Kind.EXTEND : draws.chance(50) ? Op.Kind.LOOK : Op.Kind.ENSURE;
            acts.add(new Op.Act(kind, random.nextLong(body), draws.between(200, 3000) * MILLI, -1));
        }
        acts.sort(Comparator.comparingLong(Op.Act::at));
        return acts;
    }

    private long delayToResource() {
        return draws.chance(90) ? 0 : draws.between(1, 3000) * MILLI;
    }
}
