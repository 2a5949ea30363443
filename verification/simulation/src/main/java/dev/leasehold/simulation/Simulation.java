package dev.leasehold.simulation;

import dev.leasehold.internal.request.Limits;
import dev.leasehold.simulation.history.Checker;
import dev.leasehold.simulation.history.Entry;
import dev.leasehold.simulation.history.History;
import dev.leasehold.simulation.history.Setting;
import dev.leasehold.simulation.history.Verdict;
import dev.leasehold.simulation.history.Violation;
import dev.leasehold.simulation.history.What;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One plan carried out from beginning to end. */
final class Simulation {

    /** So many acquisitions a seed tries at least. */
    static final int LEAST = 200;

    private static final int ENOUGH = 220;

    /** How much longer than planned it goes on at most, where faults cost so much time that too few were tried. */
    private static final long MOST_MORE = 20 * PlanMaker.SECOND;

    /** What is not one of the workers' acquisitions has numbers of its own, so that theirs are what they would be without. */
    private static final int FIRST_EXTRA = 1_000_000;

    final World world = new World();
    final History history = new History();
    final Met met = new Met();
    final Plan plan;
    final Limits limits;
    final Server server;
    final List<String> locks = new ArrayList<>();
    final List<Client> clients = new ArrayList<>();
    private final List<Standing> standings = new ArrayList<>();
    private final Map<String, List<Hold>> held = new HashMap<>();
    private final Map<String, Resource> resources = new HashMap<>();
    private final Chance random;
    private long ends;
    private int ops;
    private int extras = FIRST_EXTRA;

    private Simulation(Plan plan) {
        this.plan = plan;
        this.ends = plan.ends();
        this.random = new Chance(world, plan.seed(), 1000);
        Duration commandTimeout = Duration.ofMillis(plan.seed() % 2 == 0 ? 400 : 1500);
        this.limits = Client.limits(plan, commandTimeout);
        this.server = new Server(world, history, met);
        for (int i = 0; i < plan.locks(); i++) {
            String lock = plan.lockName(i);
            locks.add(lock);
            held.put(lock, new ArrayList<>());
            resources.put(lock, new Resource());
        }
        resources.put(Entry.ELECTION + 0, new Resource());
    }

    /** What came out of a plan. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Outcome(Plan plan, History history, Verdict verdict, Met met, long[] edges, int acquisitions) {
        /** The first thing that was wrong, or null. */
        @Nullable
        Violation violation() {
            List<Violation> violations = verdict.violations();
            return violations.isEmpty() ? null : violations.get(0);
        }
    }

    static Outcome run(Plan plan) {
        Edges.begin();
        Simulation simulation = new Simulation(plan);
        try (Server server = simulation.server) {
            simulation.run(server);
        }
        Verdict verdict = Checker.check(
                simulation.history,
                new Setting(
                        simulation.limits.commandTimeout().toNanos(),
                        simulation.limits.retention().toNanos(),
                        Server.EPOCH_MICROS));
        return new Outcome(plan, simulation.history, verdict, simulation.met, Edges.taken(), simulation.ops);
    }

    private void run(Server server) {
        for (int i = 0; i < plan.clients(); i++) {
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
                if (fault.client() < 0) {
                    server.strike(fault, locks);
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
        for (String left : server.truth().leftBehind()) {
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
            case STAND -> standings.add(new Standing(this, client, extra, nextExtra()));
            case RESIGN ->
                standings.stream()
                        .filter(one -> one.client == client && one.stands())
                        .forEach(Standing::resign);
            case REQUEST -> client.requestRelease(locks.get(Integer.parseInt(extra.name()) % locks.size()));
        }
    }

    /** One leads: whoever believes to lead, too, is asked. */
    void elected(Standing elected) {
        for (Standing other : standings) {
            if (other != elected && other.client.machine.running()) {
                boolean unused = other.look();
            }
        }
    }

    int nextExtra() {
        return extras++;
    }

    /** Whether more is to be tried: until all is healed, and then until there was enough of it. */
    boolean goesOn() {
        long now = world.now();
        long last = plan.ends() - PlanMaker.REST;
        if (now < plan.heals() || (ops < ENOUGH && now < last)) {
            return true;
        }
        if (ops < LEAST && now < last + MOST_MORE) {
            ends = now + PlanMaker.REST;
            return true;
        }
        return false;
    }

    int nextOp() {
        return ops++;
    }

    Resource resource(String lock) {
        return java.util.Objects.requireNonNull(resources.get(lock));
    }

    /** A lease was granted: whoever else has one of this lock may be asked what it thinks. */
    void granted(Hold granted) {
        List<Hold> holds = java.util.Objects.requireNonNull(held.get(granted.lock));
        for (Hold other : List.copyOf(holds)) {
            if (other.client.machine.running() && random.nextInt(2) == 0) {
                other.look();
            }
        }
        holds.add(granted);
    }

    void forget(Hold hold) {
        java.util.Objects.requireNonNull(held.get(hold.lock)).remove(hold);
    }

    /** The answer that a renewed hold is not there has reached its client. */
    void denied(String id) {
        int op = server.truth().op(id);
        if (op >= 0 && !server.truth().shared(id)) {
            history.add(new Entry(world.now(), -1, op, What.DENIED, "", "", 0, 0, id));
        }
    }
}
