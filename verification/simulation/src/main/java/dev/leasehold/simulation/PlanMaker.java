package dev.leasehold.simulation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/** Makes the plan of a seed. */
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

    private final long seed;
    private final SplittableRandom random;
    private final int clients;
    private final int locks;
    private final boolean atMostOnce;
    private final boolean wakeUps;
    private final boolean alike;
    private final boolean combining;
    private final boolean quorum;
    private final long heals;
    private final long ends;

    private PlanMaker(long seed) {
        this.seed = seed;
        this.random = new SplittableRandom(
                seed <= LAST_ALIKE ? seed * GOLDEN + 1 : new SplittableRandom(seed - GOLDEN).nextLong());
        this.combining = Kinds.COMBINING.in(seed);
        this.quorum = SeedRange.QUORUM.has(seed);
        this.heals = quorum ? HEALS_QUORUM : HEALS;
        this.ends = quorum ? ENDS_QUORUM : ENDS;
        int others = random.nextInt(2);
        this.clients = combining ? CLIENTS_COMBINING : quorum ? CLIENTS_QUORUM : 4 + others;
        this.locks = combining ? LOCKS_COMBINING : quorum ? LOCKS_QUORUM : 3 + random.nextInt(2);
        this.atMostOnce = random.nextInt(3) > 0 || combining || quorum;
        this.wakeUps = wakesUp(seed);
        this.alike = alike(seed);
    }

    /** Returns whether most waiters use the queue in this seed. */
    static boolean wakesUp(long seed) {
        return WOKEN.contains(seed % PERIOD) && !SeedRange.QUORUM.has(seed);
    }

    /** Returns whether clients hand locks off in this seed. */
    static boolean alike(long seed) {
        return wakesUp(seed) && seed % 2 == 0;
    }

    /** Returns the number of servers. */
    static int servers(long seed) {
        return !SeedRange.QUORUM.has(seed) ? 1 : seed % 4 == 3 ? 5 : 3;
    }

    static Plan of(long seed) {
        return new PlanMaker(seed).plan();
    }

    private Plan plan() {
        boolean answersAtOnce = random.nextBoolean() && !combining;
        long retention = random.nextInt(3) == 0 ? 1000 : 1000L * random.nextInt(2, 30);
        // Short holds beside a long retention are released in the usual way.
        retention = combining ? 1000L * random.nextInt(10, 30) : retention;
        List<Plan.Worker> workers = new ArrayList<>();
        for (int client = 0; client < clients; client++) {
            for (int i = 0; i < (combining ? WORKERS_COMBINING : alike ? WORKERS_ALIKE : WORKERS); i++) {
                workers.add(new Plan.Worker(client, retains(client) ? opsInQuickSuccession() : ops()));
            }
        }
        return new Plan(
                seed,
                clients,
                locks,
                answersAtOnce,
                atMostOnce,
                retention,
                workers,
                ExtraMaker.of(seed, clients, locks),
                faults(),
                heals,
                ends);
    }

    private List<Fault> faults() {
        FaultMaker maker = new FaultMaker(random, clients, locks, heals);
        if (quorum) {
            int servers = servers(seed);
            return seed % 4 == 2 ? maker.faultsOfMinority(servers) : maker.faultsOfQuorum(servers);
        }
        List<Fault> faults = maker.faults(atMostOnce, wakeUps);
        if (SeedRange.REPLICATED.has(seed)) {
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
            at += between(5, at > heals ? 500 : chance(20) ? 4000 : quorum ? 1000 : 2600) * MILLI;
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
        for (long at = 0; at < ends - REST; at += between(5, chance(70) ? 200 : 2600) * MILLI) {
            Op op = op(at);
            ops.add(chance(80) ? op.briefly(most, op.body() / (chance(80) ? 20 : 1)) : op);
        }
        return ops;
    }

    private Op op(long notBefore) {
        long lease = between(1000, 3000);
        int renewals = pick(0, 0, Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE, 1, 3);
        if (alike) {
            lease = LEASE_ALIKE;
            renewals = seed % 4 == 0 ? 0 : Integer.MAX_VALUE;
        }
        long body = chance(quorum ? 30 : 8)
                ? between(1000, 5000) * MILLI
                : chance(25) ? between(100, 1000) * MILLI : between(1, 100) * MILLI;
        if (alike && body < 100 * MILLI) {
            body /= 8;
        }
        body = combining ? body / RELEASED_TOGETHER * RELEASED_TOGETHER + RELEASED_TOGETHER : body;
        long wait = chance(40) ? 0 : chance(25) ? -1 : between(3, 4000) * MILLI;
        return new Op(
                notBefore,
                lock(),
                wait,
                lease,
                renewals,
                chance(10) ? between(500, 4000) : 0,
                between(250, 1200),
                wakeUps && !chance(20),
                chance(15) && !quorum ? "owner-" + random.nextInt(2) : null,
                chance(8) ? (chance(50) ? between(0, 2000) * 1000 : between(1, 1500) * MILLI) : -1,
                body,
                acts(body),
                chance(15),
                chance(10) ? between(0, 3000) * MILLI : -1);
    }

    private int lock() {
        int lock = random.nextInt(locks);
        return alike && !combining && chance(MOSTLY_ONE_LOCK) ? 0 : lock;
    }

    private List<Op.Act> acts(long body) {
        List<Op.Act> acts = new ArrayList<>();
        acts.add(new Op.Act(Op.Kind.READ, random.nextLong(body / 4 + 1), 0));
        acts.add(new Op.Act(Op.Kind.WRITE, body / 4 + random.nextLong(body), delayToResource()));
        int more = random.nextInt(4);
        for (int i = 0; i < more; i++) {
            Op.Kind kind = chance(15) ? Op.Kind.EXTEND : chance(50) ? Op.Kind.LOOK : Op.Kind.ENSURE;
            acts.add(new Op.Act(kind, random.nextLong(body), between(200, 3000) * MILLI));
        }
        acts.sort(Comparator.comparingLong(Op.Act::at));
        return acts;
    }

    private long delayToResource() {
        return chance(90) ? 0 : between(1, 3000) * MILLI;
    }

    private boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    private long between(long least, long most) {
        return random.nextLong(least, most + 1);
    }

    private int pick(int... those) {
        return those[random.nextInt(those.length)];
    }
}
