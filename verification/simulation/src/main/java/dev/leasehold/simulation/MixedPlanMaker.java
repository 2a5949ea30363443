package dev.leasehold.simulation;

import static dev.leasehold.simulation.PlanMaker.MILLI;
import static dev.leasehold.simulation.PlanMaker.SECOND;

import dev.leasehold.simulation.history.Entry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Makes the plan of a seed of {@link SeedRange#MIXED}: draws the {@link Feature features} of the seed, the kind of each
 * lock, and for each acquisition which of the features it uses, as far as the library allows them together.
 */
final class MixedPlanMaker {

    private static final long HEALS = 44 * SECOND;
    private static final long ENDS = 70 * SECOND;

    private static final int WORKERS = 2;
    private static final int WORKERS_HANDING_OFF = 5;
    private static final int WORKERS_COMBINING = 10;
    private static final int CLIENTS_COMBINING = 3;
    private static final int LOCKS_COMBINING = 24;

    private static final int ROUNDS_PERCENT = 10;
    private static final long LEASE_ALIKE = 2000;
    private static final long RELEASED_TOGETHER = 100 * MILLI;

    private final long seed;
    private final Draws draws;
    private final Set<Feature> features;
    private final int clients;
    private final List<String> locks;
    private final boolean handsOff;
    private final boolean combines;
    /** Where leases are alike, whether all of them are renewed. */
    private final boolean renewed;

    private final long retainMillis;

    private MixedPlanMaker(long seed) {
        this.seed = seed;
        this.draws = Draws.of(seed);
        this.features = Feature.drawn(draws);
        this.combines = has(Feature.COMBINED_CALLS);
        this.handsOff = has(Feature.HAND_OFF) && has(Feature.WAKE_UPS);
        this.clients = combines ? CLIENTS_COMBINING : (int) draws.between(4, 5);
        this.locks = locks(combines ? LOCKS_COMBINING : (int) draws.between(3, 4));
        this.renewed = draws.either();
        this.retainMillis = draws.between(1, 10) * 100;
    }

    static Plan of(long seed) {
        return new MixedPlanMaker(seed).plan();
    }

    /** Returns whether the seed has a feature. */
    private boolean has(Feature feature) {
        return features.contains(feature);
    }

    private List<String> locks(int count) {
        List<String> names = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            String kind = has(Feature.SEMAPHORES) && draws.chance(40)
                    ? Entry.PERMITS
                    : has(Feature.PLAIN_LOCKS) && draws.chance(40) ? Entry.PLAIN : Entry.LOCK;
            names.add(kind + number);
        }
        return names;
    }

    private Plan plan() {
        boolean atMostOnce = draws.chance(65) || combines;
        Setup setup = new Setup(
                clients,
                locks,
                1,
                has(Feature.REPLICA),
                draws.either() ? 400 : 1500,
                // Short holds beside a long token memory are released in the usual way.
                combines ? 1000 * draws.between(10, 29) : draws.chance(33) ? 1000 : 1000 * draws.between(2, 29),
                draws.either() && !combines,
                atMostOnce,
                draws.either(),
                has(Feature.WAKE_UPS),
                combines,
                has(Feature.TRACKED_KEYS),
                has(Feature.REQUESTS_TO_RELEASE));
        List<Plan.Worker> workers = new ArrayList<>();
        for (int client = 0; client < clients; client++) {
            boolean retains = has(Feature.RETENTION) && draws.chance(40);
            boolean impatient = has(Feature.IMPATIENT_CLIENTS) && draws.chance(40);
            int count = combines ? WORKERS_COMBINING : handsOff ? WORKERS_HANDING_OFF : WORKERS;
            for (int i = 0; i < count; i++) {
                workers.add(new Plan.Worker(client, ops(retains, impatient)));
            }
        }
        List<Extra> extras = new ArrayList<>(extras());
        List<Fault> faults = faults(atMostOnce);
        extras.addAll(repeated(faults));
        return new Plan(seed, setup, workers, extras, faults, HEALS, ENDS);
    }

    /**
     * Makes acquisitions; those of a client that retains its holds are mostly of one lock, and soon after each other.
     */
    private List<Op> ops(boolean retains, boolean impatient) {
        List<Op> ops = new ArrayList<>();
        int most = draws.below(Math.min(2, locks.size()));
        long at = draws.between(5, 500) * MILLI;
        while (at < ENDS - PlanMaker.REST) {
            boolean quick = retains && draws.chance(75);
            ops.add(op(at, quick ? most : lock(), retains, impatient, quick));
            at += draws.between(5, quick ? 200 : at > HEALS ? 500 : draws.chance(20) ? 4000 : 2600) * MILLI;
        }
        return ops;
    }

    private int lock() {
        return handsOff && !combines && draws.chance(90) ? 0 : draws.below(locks.size());
    }

    private Op op(long notBefore, int number, boolean retaining, boolean impatient, boolean quick) {
        String lock = locks.get(number);
        boolean wakeUps = has(Feature.WAKE_UPS) && draws.chance(80);
        String owner = Entry.isOrdinary(lock) && has(Feature.NAMED_OWNERS) && draws.chance(20) && !quick
                ? "owner-" + draws.below(2)
                : null;
        long lease = handsOff ? LEASE_ALIKE : draws.between(1000, 3000);
        int renewals = handsOff
                ? renewed ? Integer.MAX_VALUE : 0
                : draws.pick(0, 0, Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE, 1, 3);
        long body = body(quick);
        Use use = use(lock, number, wakeUps, owner, lease, body, retaining);
        boolean writes = Entry.isOrdinary(lock) && !use.reads() && owner == null && use.other() < 0;
        return new Op(
                notBefore,
                number,
                wait(impatient),
                lease,
                renewals,
                draws.chance(10) && !handsOff ? draws.between(500, 4000) : 0,
                draws.between(250, 1200),
                wakeUps,
                owner,
                has(Feature.CANCELLATION) && draws.chance(10) ? soon() : -1,
                body,
                acts(body, writes),
                draws.chance(15),
                draws.chance(10) ? draws.between(0, 3000) * MILLI : -1,
                use);
    }

    private long wait(boolean impatient) {
        if (impatient) {
            return draws.between(5, 50) * MILLI;
        }
        return draws.chance(35)
                ? 0
                : draws.chance(25)
                        ? -1
                        : draws.chance(20) ? draws.between(5, 50) * MILLI : draws.between(3, 4000) * MILLI;
    }

    private long body(boolean quick) {
        long body = draws.chance(8)
                ? draws.between(1000, 5000) * MILLI
                : draws.chance(25) ? draws.between(100, 1000) * MILLI : draws.between(1, 100) * MILLI;
        body = (quick || handsOff) && draws.chance(70) ? body / 10 : body;
        return combines ? body / RELEASED_TOGETHER * RELEASED_TOGETHER + RELEASED_TOGETHER : body;
    }

    /** Returns when a caller gives up: mostly while the first request is under way. */
    private long soon() {
        return draws.chance(60) ? draws.between(0, 1500) * 1000 : draws.between(1, 1500) * MILLI;
    }

    private Use use(
            String lock,
            int number,
            boolean wakeUps,
            @Nullable String owner,
            long lease,
            long body,
            boolean retaining) {
        boolean ordinary = Entry.isOrdinary(lock);
        int other = owner == null && has(Feature.SEVERAL_LOCKS) && draws.chance(30) ? otherLock(number) : -1;
        boolean reads = ordinary && other < 0 && owner == null && has(Feature.READERS) && draws.chance(55);
        boolean fair =
                wakeUps && other < 0 && !reads && !Entry.isPlain(lock) && has(Feature.FAIR_QUEUES) && draws.chance(70);
        boolean alone = ordinary && other < 0 && !reads && owner == null;
        boolean retains = retaining && alone && !fair;
        boolean minimum = !retains && alone && has(Feature.MINIMUM_HOLD) && draws.chance(30);
        boolean waits = !retains && has(Feature.REPLICA) && draws.chance(60);
        boolean exports = ordinary && other < 0 && !reads && has(Feature.EXPORTS) && draws.chance(35);
        return new Use(
                reads,
                fair,
                Entry.isSemaphore(lock) ? permits() : 0,
                other,
                retains ? retainMillis : 0,
                minimum ? draws.between(20, lease) : 0,
                waits ? draws.between(5, 299) : 0,
                has(Feature.CANCELLATION) && draws.chance(10) ? draws.between(0, 1500) * 1000 : -1,
                exports ? export(body) : null);
    }

    private int permits() {
        return has(Feature.SEVERAL_PERMITS) ? draws.pick(1, 1, 1, 2, Entry.ALL_PERMITS) : 1;
    }

    /** Returns another lock of the same format, below 0 if there is none: permits are not acquired with others. */
    private int otherLock(int number) {
        String lock = locks.get(number);
        int other = (number + (int) draws.between(1, locks.size() - 1)) % locks.size();
        String second = locks.get(other);
        boolean semaphores = Entry.isSemaphore(lock) || Entry.isSemaphore(second);
        return !semaphores && Entry.isPlain(lock) == Entry.isPlain(second) ? other : -1;
    }

    private Use.Export export(long body) {
        return new Use.Export(
                draws.chance(40) ? draws.below(2 * MILLI) : draws.below(body + 1),
                draws.below(clients),
                draws.below(draws.either() ? 4L : draws.either() ? 400L : 3000L) * MILLI,
                Use.Way.drawn(draws),
                draws.chance(33) ? draws.below(clients) : -1,
                has(Feature.CANCELLATION) && draws.chance(25) ? draws.below(MILLI) : -1);
    }

    private List<Op.Act> acts(long body, boolean writes) {
        List<Op.Act> acts = new ArrayList<>();
        acts.add(new Op.Act(Op.Kind.READ, draws.below(body / 4 + 1), 0, -1));
        long delay = draws.chance(90) ? 0 : draws.between(1, 3000) * MILLI;
        acts.add(new Op.Act(Op.Kind.WRITE, body / 4 + draws.below(body), delay, -1));
        int more = draws.below(4);
        for (int i = 0; i < more; i++) {
            Op.Kind kind = draws.chance(15) ? Op.Kind.EXTEND : draws.either() ? Op.Kind.LOOK : Op.Kind.ENSURE;
            acts.add(new Op.Act(kind, draws.below(body), draws.between(200, 3000) * MILLI, cancelledCall()));
        }
        if (writes && has(Feature.READERS) && draws.chance(30)) {
            acts.add(new Op.Act(Op.Kind.DOWNGRADE, draws.below(body), 0, cancelledCall()));
        }
        acts.sort(Comparator.comparingLong(Op.Act::at));
        return acts;
    }

    /** Returns the time after which the caller of an act gives up; below 0 if it does not. */
    private long cancelledCall() {
        return has(Feature.CANCELLATION) && draws.chance(35) ? draws.between(0, 1500) * 1000 : -1;
    }

    private List<Extra> extras() {
        ExtraMaker maker = new ExtraMaker(draws, clients, locks.size());
        if (has(Feature.LATCHES)) {
            maker.latches();
        }
        if (has(Feature.ELECTION)) {
            maker.election();
        }
        if (has(Feature.REQUESTS_TO_RELEASE)) {
            maker.requests();
        }
        if (has(Feature.FORCED_RELEASES)) {
            maker.forcedReleases();
        }
        if (!changedSemaphores().isEmpty()) {
            maker.changedPermits(changedSemaphores());
        }
        List<Extra> extras = new ArrayList<>(
                maker.extras().stream().map(this::perhapsCancelled).toList());
        extras.addAll(rounds());
        return extras;
    }

    /** Rounds of latches have random numbers of their own, so that the other seeds are as they were before there were any. */
    private List<Extra> rounds() {
        Draws own = Draws.of(~seed);
        if (!own.chance(ROUNDS_PERCENT)) {
            return List.of();
        }
        ExtraMaker maker = new ExtraMaker(own, clients, locks.size());
        maker.rounds();
        return maker.extras();
    }

    /** Returns the numbers of the semaphores whose permits are changed. */
    private List<Integer> changedSemaphores() {
        return IntStream.range(0, locks.size())
                .filter(number -> has(Feature.CHANGED_PERMITS) && Entry.isSemaphore(locks.get(number)))
                .boxed()
                .toList();
    }

    private List<Extra> repeated(List<Fault> faults) {
        ExtraMaker maker = new ExtraMaker(draws, clients, locks.size());
        for (Fault fault : faults) {
            if (fault.kind() == FaultKind.DOUBLED) {
                maker.repeated(fault, has(Feature.FORCED_RELEASES), changedSemaphores());
            }
        }
        return maker.extras();
    }

    private Extra perhapsCancelled(Extra extra) {
        boolean call = extra.kind() == Extra.Kind.LATCH_SET
                || extra.kind() == Extra.Kind.LATCH_COUNT
                || extra.kind() == Extra.Kind.LATCH_READ;
        return call ? extra.cancelledAfter(cancelledCall()) : extra;
    }

    private List<Fault> faults(boolean atMostOnce) {
        FaultMaker maker = new FaultMaker(draws, clients, locks.size(), HEALS);
        List<Fault> faults = new ArrayList<>(maker.faultsOfConnections(atMostOnce));
        if (!has(Feature.CALM)) {
            faults.addAll(maker.faults(atMostOnce, has(Feature.WAKE_UPS)));
            if (has(Feature.REPLICA)) {
                faults.addAll(maker.faultsOfReplica());
            }
        }
        faults.sort(Comparator.comparingLong(Fault::at));
        return faults;
    }
}
