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

    private static final long HEALS = 44 * SECOND;
    private static final long ENDS = 70 * SECOND;
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
    private static final int MOST_GONE = 2;
    private static final List<FaultKind> LOSSES =
            List.of(FaultKind.REQUEST_LOST, FaultKind.REPLY_LOST, FaultKind.REPLY_DELAYED);

    private final long seed;
    private final SplittableRandom random;
    private final int clients;
    private final int locks;
    private final boolean atMostOnce;
    private final boolean wakeUps;
    private final boolean alike;
    private final boolean combining;

    private PlanMaker(long seed) {
        this.seed = seed;
        this.random = new SplittableRandom(
                seed <= LAST_ALIKE ? seed * GOLDEN + 1 : new SplittableRandom(seed - GOLDEN).nextLong());
        this.combining = Kinds.COMBINING.in(seed);
        int others = random.nextInt(2);
        this.clients = combining ? CLIENTS_COMBINING : 4 + others;
        this.locks = combining ? LOCKS_COMBINING : 3 + random.nextInt(2);
        this.atMostOnce = random.nextInt(3) > 0 || combining;
        this.wakeUps = WOKEN.contains(seed % PERIOD);
        this.alike = alike(seed);
    }

    /** Returns whether clients hand locks off in this seed. */
    static boolean alike(long seed) {
        return WOKEN.contains(seed % PERIOD) && seed % 2 == 0;
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
                HEALS,
                ENDS);
    }

    private List<Op> ops() {
        List<Op> ops = new ArrayList<>();
        long at = 0;
        // A little more than is needed, so that workers can make up for the time that faults cost.
        while (at < ENDS - REST) {
            at += between(5, at > HEALS ? 500 : chance(20) ? 4000 : 2600) * MILLI;
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
        for (long at = 0; at < ENDS - REST; at += between(5, chance(70) ? 200 : 2600) * MILLI) {
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
        long body = chance(8)
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
                chance(15) ? "owner-" + random.nextInt(2) : null,
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

    private List<Fault> faults() {
        boolean coveredOnly = random.nextInt(2) == 0;
        List<FaultKind> kinds = new ArrayList<>();
        for (FaultKind kind : FaultKind.values()) {
            if ((kind.covered || !coveredOnly)
                    && (kind != FaultKind.DOUBLED || !atMostOnce)
                    && (kind != FaultKind.WAKE_UP_LOST || wakeUps)) {
                kinds.add(kind);
            }
        }
        int count = 12 + random.nextInt(8);
        int gone = 0;
        List<Fault> faults = new ArrayList<>();
        while (faults.size() < count) {
            FaultKind kind = kinds.get(random.nextInt(kinds.size()));
            if (kind == FaultKind.CLIENT_CRASHED || kind == FaultKind.CLIENT_CLOSED) {
                // Most of the clients have to remain.
                if (gone == MOST_GONE) {
                    continue;
                }
                gone++;
            }
            faults.add(fault(kind));
        }
        faults.addAll(companions(faults));
        faults.sort(Comparator.comparingLong(Fault::at));
        return faults;
    }

    /**
     * Returns suspensions of machines whose connection is bad, so that their leases learn of nothing quickly. Some
     * are short enough for a lease to outlive them, and they follow one another.
     */
    private List<Fault> companions(List<Fault> faults) {
        List<Fault> companions = new ArrayList<>();
        for (Fault fault : faults) {
            if (fault.kind() == FaultKind.CLIENT_SUSPENDED && chance(50)) {
                FaultKind kind = LOSSES.get(random.nextInt(LOSSES.size()));
                long at = Math.max(SECOND, fault.at() - between(0, 1500) * MILLI);
                long duration = fault.duration() + between(500, 3000) * MILLI;
                companions.add(new Fault(kind, at, Math.min(duration, HEALS - at), fault.client(), amount(kind), 100));
            } else if (LOSSES.contains(fault.kind()) && chance(30)) {
                long at = fault.at() + random.nextLong(fault.duration());
                companions.add(suspension(at, fault.client()));
                if (chance(30)) {
                    companions.add(suspension(at + between(300, 1200) * MILLI, fault.client()));
                }
            }
        }
        return companions;
    }

    private Fault suspension(long at, int client) {
        return new Fault(FaultKind.CLIENT_SUSPENDED, at, between(255, 700) * MILLI, client, 0, 100);
    }

    private Fault fault(FaultKind kind) {
        long at = between(1000, HEALS / MILLI - 4000) * MILLI;
        int client = kind.scope == FaultKind.Scope.SERVER ? -1 : random.nextInt(clients);
        long duration = duration(kind);
        int chance = chance(40) ? 100 : 20 + random.nextInt(70);
        return new Fault(kind, at, Math.min(duration, HEALS - at), client, amount(kind), chance);
    }

    private long duration(FaultKind kind) {
        return switch (kind) {
            case REQUEST_LOST, REPLY_LOST, REQUEST_DELAYED, REPLY_DELAYED, REORDERED, DOUBLED, WAKE_UP_LOST ->
                between(200, 4000) * MILLI;
            case SERVER_PAUSED -> between(20, 3500) * MILLI;
            case RESTART_WITH_DATA, RESTART_WITHOUT_DATA -> between(5, 1500) * MILLI;
            case FAIL_OVER_LAGGING, FAIL_OVER_CLOCK_AHEAD, FAIL_OVER_CLOCK_BEHIND -> between(5, 1000) * MILLI;
            case OUT_OF_MEMORY, BUSY, LOADING, READONLY -> between(50, 3000) * MILLI;
            case CLIENT_PAUSED -> (chance(30) ? between(1, 200) : between(200, 6000)) * MILLI;
            case CLIENT_SUSPENDED -> (chance(20) ? between(1, 250) : between(250, 6000)) * MILLI;
            case CONNECTION_LOST,
                    CLOCK_FORWARD,
                    CLOCK_BACK,
                    EVICTION,
                    NOSCRIPT,
                    WALL_STEP,
                    CLIENT_CRASHED,
                    CLIENT_CLOSED -> 0;
        };
    }

    private long amount(FaultKind kind) {
        return switch (kind) {
            case REQUEST_DELAYED, REPLY_DELAYED -> between(5, chance(50) ? 300 : 4000) * MILLI;
            case REORDERED -> between(1, 800) * MILLI;
            case DOUBLED -> between(1, 4000) * MILLI;
            case FAIL_OVER_LAGGING -> 1 + random.nextInt(30);
            case FAIL_OVER_CLOCK_AHEAD, CLOCK_FORWARD -> between(100, 4000) * MILLI;
            case FAIL_OVER_CLOCK_BEHIND, CLOCK_BACK -> -between(100, chance(20) ? 60_000 : 4000) * MILLI;
            case EVICTION -> random.nextInt(locks);
            case WALL_STEP -> (chance(50) ? -1 : 1) * between(300, 20_000) * MILLI;
            case REQUEST_LOST,
                    REPLY_LOST,
                    WAKE_UP_LOST,
                    CONNECTION_LOST,
                    SERVER_PAUSED,
                    RESTART_WITH_DATA,
                    RESTART_WITHOUT_DATA,
                    OUT_OF_MEMORY,
                    BUSY,
                    LOADING,
                    READONLY,
                    NOSCRIPT,
                    CLIENT_PAUSED,
                    CLIENT_SUSPENDED,
                    CLIENT_CRASHED,
                    CLIENT_CLOSED -> 0;
        };
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
