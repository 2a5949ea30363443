package dev.leasehold.simulation;

import dev.leasehold.internal.request.Limits;
import dev.leasehold.simulation.history.Checker;
import dev.leasehold.simulation.history.Entry;
import dev.leasehold.simulation.history.History;
import dev.leasehold.simulation.history.Setting;
import dev.leasehold.simulation.history.Verdict;
import dev.leasehold.simulation.history.Violation;
import dev.leasehold.simulation.history.What;
import dev.leasehold.simulation.trace.HistoryPage;
import dev.leasehold.simulation.trace.Message;
import dev.leasehold.simulation.trace.Trace;
import dev.leasehold.simulation.trace.TraceLines;
import dev.leasehold.testkit.SimulatedRedis;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The execution of one plan from beginning to end. */
final class Simulation {

    private static final int LEAST = 200;
    /** In a quorum, and where all clients may have the features that cost most time. */
    private static final int LEAST_OF_SOME = 100;

    private static final long NANOS_PER_MICRO = 1000;

    /** How long operations begin after all faults, where calls are combined. */
    private static final long QUIET = 8 * PlanMaker.SECOND;

    private static final int ENOUGH = 220;

    /** The maximum extension of the planned time, where faults cost so much time that too few were tried. */
    private static final long MOST_MORE = 20 * PlanMaker.SECOND;

    /**
     * Actions other than the workers' acquisitions have numbers of their own, so that the workers' numbers do not
     * depend on them.
     */
    private static final int FIRST_EXTRA = 1_000_000;

    final World world = new World();
    final History history = new History();
    final Met met = new Met();
    final boolean traced;
    final List<Message> messages = new ArrayList<>();
    final Plan plan;
    final Limits limits;
    /** The holds of the only server; it knows of none in a quorum. */
    final ServerTruth truth;

    final List<Server> servers;
    private final @Nullable Trace trace;
    private final @Nullable QuorumServers quorum;
    final List<String> locks;
    final List<Client> clients = new ArrayList<>();
    private final List<SimCandidate> candidates = new ArrayList<>();
    private final Map<String, List<Hold>> held = new HashMap<>();
    private final Map<String, Resource> resources = new HashMap<>();
    private final Chance random;
    private long ends;
    private int ops;
    private int extras = FIRST_EXTRA;

    private Simulation(Plan plan, boolean traced) {
        this.plan = plan;
        this.traced = traced;
        this.ends = plan.ends();
        this.random = new Chance(world, plan.seed(), 1000);
        Setup setup = plan.setup();
        this.limits = Client.limits(setup);
        SimulatedRedis only = SimulatedRedis.create(() -> Server.EPOCH_MICROS + world.now() / NANOS_PER_MICRO);
        this.truth = new ServerTruth(world, history, met, only);
        this.trace = traced && !setup.ofQuorum() ? new Trace(history, only, world::now) : null;
        this.quorum = setup.ofQuorum() ? new QuorumServers(world, history, met, plan.seed(), setup.servers()) : null;
        this.servers = quorum != null
                ? quorum.servers()
                : List.of(new Server(world, history, met, "", only, truth, trace, replica()));
        this.locks = setup.locks();
        for (String lock : locks) {
            held.put(lock, new ArrayList<>());
            resources.put(lock, new Resource());
        }
        resources.put(Entry.ELECTION + 0, new Resource());
    }

    QuorumServers quorum() {
        return Objects.requireNonNull(quorum);
    }

    private @Nullable Replica replica() {
        return plan.setup().replicated() ? new Replica(world, history, new Chance(world, plan.seed(), 2000)) : null;
    }

    /** The outcome of a plan. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Outcome(
            Plan plan, History history, Verdict verdict, Met met, long[] edges, PairsMet pairs, int acquisitions) {
        /** Returns the first violation, or null. */
        @Nullable
        Violation violation() {
            List<Violation> violations = verdict.violations();
            return violations.isEmpty() ? null : violations.get(0);
        }
    }

    static Outcome run(Plan plan) {
        return run(new Simulation(plan, false));
    }

    private static Outcome run(Simulation simulation) {
        Edges.begin(simulation.world::now);
        try {
            simulation.run();
        } finally {
            simulation.servers.forEach(Server::close);
        }
        Plan plan = simulation.plan;
        Verdict verdict = Checker.check(simulation.history, simulation.setting());
        return new Outcome(
                plan, simulation.history, verdict, simulation.met, Edges.taken(), Edges.pairs(), simulation.ops);
    }

    /**
     * The trace of a plan.
     *
     * @param lines its lines, of JSON; empty for a quorum
     * @param outcome the outcome of the run
     */
    record Traced(List<String> lines, Outcome outcome) {}

    /** Runs a plan and traces what the scripts do; nothing of a quorum, of which there is no model. */
    static Traced trace(Plan plan) {
        Simulation simulation = new Simulation(plan, true);
        Outcome outcome = run(simulation);
        Trace trace = simulation.trace;
        List<String> lines =
                trace == null ? List.of() : TraceLines.of(Long.toString(plan.seed()), trace, simulation.setting());
        return new Traced(lines, outcome);
    }

    /**
     * Runs a plan and writes its history as a page for people.
     *
     * @param impossible the steps that are impossible according to others; those of rules are added
     */
    static void writePage(Plan plan, List<HistoryPage.Mark> impossible, Path file) {
        Simulation simulation = new Simulation(plan, true);
        Outcome outcome = run(simulation);
        List<HistoryPage.Mark> marks = new ArrayList<>(impossible);
        for (Violation violation : outcome.verdict().violations()) {
            marks.add(new HistoryPage.Mark(violation.at(), violation.lock(), violation.toString()));
        }
        String page = HistoryPage.of("Seed " + plan.seed(), simulation.history, simulation.messages, marks);
        try {
            Files.writeString(file, page);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Setting setting() {
        return new Setting(
                limits.commandTimeout().toNanos(),
                limits.rememberTokens().toNanos(),
                Server.EPOCH_MICROS,
                plan.setup().tracksKeys(),
                servers.size());
    }

    private void run() {
        for (int i = 0; i < plan.setup().clients(); i++) {
            clients.add(new Client(this, i));
        }
        for (Plan.Worker worker : plan.workers()) {
            new Worker(this, clients.get(worker.client()), worker.ops().iterator()).next();
        }
        for (Extra extra : plan.extras()) {
            Client client = clients.get(extra.client());
            world.at(extra.at(), () -> client.machine.deliver(() -> start(client, extra)));
        }
        for (Fault fault : plan.faults()) {
            world.at(fault.at(), () -> {
                Edges.struck(fault);
                if (fault.client() < 0) {
                    servers.get(fault.server()).strike(fault, locks);
                } else {
                    clients.get(fault.client()).strike(fault);
                }
            });
        }
        world.runUntil(plan.heals());
        history.add(Entry.of(world.now(), -1, What.HEALED, 0, ""));
        while (world.now() < ends) {
            world.runUntil(ends);
        }
        for (String left : (quorum == null ? truth.leftBehind() : quorum.leftBehind())) {
            history.add(Entry.of(world.now(), -1, What.LEFT_BEHIND, 0, left));
        }
        history.add(Entry.of(world.now(), -1, What.ENDED, 0, ""));
    }

    private void start(Client client, Extra extra) {
        if (client.gone()) {
            return;
        }
        switch (extra.kind()) {
            case LATCH_SET, LATCH_COUNT, LATCH_AWAIT, LATCH_READ ->
                new LatchUse(this, client, extra, nextExtra()).begin();
            case STAND_FOR_ELECTION -> candidates.add(new SimCandidate(this, client, extra, nextExtra()));
            case RESIGN ->
                candidates.stream()
                        .filter(one -> one.client == client && one.isCandidate())
                        .forEach(SimCandidate::resign);
            case REQUEST -> client.requestRelease(lock(extra));
            case FORCE_RELEASE -> client.forceRelease(lock(extra), nextExtra());
            case CHANGE_PERMITS -> client.changePermits(lock(extra), (int) extra.amount(), nextExtra());
        }
    }

    private String lock(Extra extra) {
        return locks.get(Integer.parseInt(extra.name()) % locks.size());
    }

    /** Handles an election: every other client that considers itself the leader is queried. */
    void elected(SimCandidate elected) {
        for (SimCandidate other : candidates) {
            if (other != elected && other.client.machine.running()) {
                boolean unused = other.query();
            }
        }
    }

    /** Returns the minimum number of acquisitions that a seed tries. */
    static int least(long seed) {
        return SeedRange.QUORUM.has(seed) || SeedRange.MIXED.has(seed) ? LEAST_OF_SOME : LEAST;
    }

    int nextExtra() {
        return extras++;
    }

    /** Returns whether more is to be tried: until all is healed, and then until there was enough of it. */
    boolean continues() {
        long now = world.now();
        long last = plan.ends() - PlanMaker.REST;
        // Calls are combined in quiet times, too, in which every release has to be executed.
        long quiet = plan.setup().combines() ? QUIET : 0;
        if (now < plan.heals() + quiet || (ops < ENOUGH && now < last)) {
            return true;
        }
        if (ops < least(plan.seed()) && now < last + MOST_MORE) {
            ends = now + PlanMaker.REST;
            return true;
        }
        return false;
    }

    int nextOp() {
        return ops++;
    }

    Resource resource(String lock) {
        return Objects.requireNonNull(resources.get(lock));
    }

    /** Handles a grant: every other client with a lease of this lock is queried. */
    void granted(Hold granted) {
        List<Hold> holds = Objects.requireNonNull(held.get(granted.lock));
        for (Hold other : List.copyOf(holds)) {
            if (other.client.machine.running() && random.nextInt(2) == 0) {
                other.query();
            }
        }
        holds.add(granted);
    }

    /** Handles that a client that closes gives back all it holds but its terms. */
    void givenBack(Client client) {
        for (List<Hold> holds : held.values()) {
            List.copyOf(holds).stream().filter(hold -> hold.client == client).forEach(Hold::givenBack);
        }
    }

    void forget(Hold hold) {
        Objects.requireNonNull(held.get(hold.lock)).remove(hold);
    }

    /** Handles the arrival of the answer that a renewed hold does not exist. */
    void denied(String id) {
        int op = truth.op(id);
        if (op >= 0 && !truth.shared(id)) {
            history.add(new Entry(world.now(), -1, op, What.DENIED, "", "", 0, 0, id));
        }
    }
}
