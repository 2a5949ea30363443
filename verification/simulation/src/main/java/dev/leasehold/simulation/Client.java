package dev.leasehold.simulation;

import dev.leasehold.DistributedLock;
import dev.leasehold.Lease;
import dev.leasehold.LockOptions;
import dev.leasehold.MultiLock;
import dev.leasehold.internal.acquire.ExportedLease;
import dev.leasehold.internal.combine.CombiningStore;
import dev.leasehold.internal.election.Candidates;
import dev.leasehold.internal.engine.Engine;
import dev.leasehold.internal.engine.EngineParts;
import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.PermitKey;
import dev.leasehold.internal.key.QuorumKey;
import dev.leasehold.internal.key.ReadKey;
import dev.leasehold.internal.quorum.Node;
import dev.leasehold.internal.quorum.QuorumParts;
import dev.leasehold.internal.quorum.QuorumStore;
import dev.leasehold.internal.request.Limits;
import dev.leasehold.internal.request.ServerFeatures;
import dev.leasehold.internal.script.QuorumRequest;
import dev.leasehold.internal.script.ScriptBindings;
import dev.leasehold.internal.script.ScriptStore;
import dev.leasehold.internal.script.TokenMemory;
import dev.leasehold.internal.store.LockStore;
import dev.leasehold.internal.store.ServerClocks;
import dev.leasehold.internal.store.ServerTime;
import dev.leasehold.internal.wakeup.WakeChannel;
import dev.leasehold.recipes.DistributedLatch;
import dev.leasehold.simulation.history.Entry;
import dev.leasehold.simulation.history.What;
import dev.leasehold.simulation.trace.Message;
import dev.leasehold.spi.ScriptCall;
import dev.leasehold.spi.ServerDescription.Capability;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** One process with an engine, on a machine of its own. */
final class Client {

    private static final long NANOS_PER_MICRO = 1000;
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final long NODE_TIMEOUT_NANOS = 500_000_000;
    private static final long SILENCE_FELT = 3_000_000_000L;
    /** It is recorded again if it would be over so soon. */
    private static final long SILENCE_RECORDED = 2_700_000_000L;

    final int number;
    final Machine machine;
    private final Simulation simulation;
    /** The paths to the servers. */
    private final List<Path> paths = new ArrayList<>();

    private final BlockingCalls store;
    private final Engine engine;
    private final List<Candidates> elections = new ArrayList<>();
    private boolean closed;
    /** Until when a request over a silent connection is felt. */
    private long silenceFelt;

    Client(Simulation simulation, int number) {
        this.simulation = simulation;
        this.number = number;
        World world = simulation.world;
        Plan plan = simulation.plan;
        long seed = plan.seed();
        SplittableRandom random = new SplittableRandom(seed * 31 + number);
        // Redis runs at true time, and clocks may differ by 1 % (condition C-2); a little less for each side.
        long ppm = random.nextLong(-9_000, 9_001);
        ppm = plan.setup().ofQuorum() ? ppm * QuorumServers.MOST_PPM / 9_000 : ppm;
        long mono = random.nextLong();
        long wall = 1_790_000_000_000L + random.nextLong(100_000);
        this.machine =
                new Machine(world, chance(1), mono, wall, ppm, plan.setup().exactTimers());
        for (int i = 0; i < simulation.servers.size(); i++) {
            paths.add(path(i));
        }
        Set<Capability> capabilities = EnumSet.of(Capability.CALLS_ACROSS_SLOTS);
        if (plan.setup().atMostOnce()) {
            capabilities.addAll(Set.of(Capability.AT_MOST_ONCE, Capability.COUNTS_RECEIVERS));
        }
        if (plan.setup().tracksKeys()) {
            capabilities.add(Capability.TRACKS_KEYS);
        }
        if (plan.setup().replicated()) {
            capabilities.add(Capability.WAITS_FOR_REPLICAS);
        }
        Chance ids = chance(4);
        Chance jitter = chance(5);
        QuorumStore quorum = plan.setup().ofQuorum() ? quorum(jitter) : null;
        this.store =
                new BlockingCalls(quorum == null ? store(capabilities) : quorum, machine, SeedRange.MIXED.has(seed));
        this.engine = new Engine(new EngineParts(
                store,
                machine,
                machine,
                machine,
                machine,
                () -> new AcquisitionId(String.format("%016x%06x", ids.nextLong(), ids.nextInt(1 << 24))),
                jitter::nextDouble,
                List.of(),
                number + "@sim",
                new WakeChannel(ServerTruth.PREFIX, Integer.toString(number)),
                ServerFeatures.of("", quorum == null ? capabilities : Set.of(Capability.AT_MOST_ONCE)),
                simulation.limits,
                () -> false));
    }

    /** The path to one server. */
    private record Path(Network network, SimTransport transport) {}

    private Path path(int server) {
        Network network = new Network(simulation.world, chance(2, server), simulation.met);
        SimTransport transport = new SimTransport(
                simulation.world,
                machine,
                simulation.servers.get(server),
                network,
                chance(3, server),
                chance(6, server),
                chance(7, server),
                chance(8, server),
                SeedRange.MIXED.has(simulation.plan.seed()),
                simulation.plan.setup().answersAtOnce(),
                simulation::denied);
        transport.heardBy(this::heard);
        transport.silenceReportedTo(this::silent);
        if (simulation.traced) {
            transport.recordedBy(this::sent);
        }
        return new Path(network, transport);
    }

    private void heard(String message) {
        String[] words = message.split(" ", 2);
        if (words[0].equals("release")) {
            simulation.history.add(
                    new Entry(simulation.world.now(), number, -1, What.HEARD, Entry.lockOf(words[1]), "", 0, 0, ""));
            simulation.met.count(Met.Deed.GIVEN_UP);
        }
    }

    /**
     * Records that a request went over a silent connection, which is felt until it is replaced, or that it was
     * replaced.
     */
    private void silent(boolean asked, String connection) {
        long now = simulation.world.now();
        simulation.history.add(Entry.of(now, number, asked ? What.ASKED_IN_VAIN : What.RECONNECTED, 0, connection));
        if (now >= silenceFelt - SILENCE_RECORDED) {
            silenceFelt = now + SILENCE_FELT;
            simulation.history.add(Entry.of(now, number, What.FAULT, silenceFelt, FaultKind.CONNECTION_SILENT.name()));
        }
    }

    private LockStore store(Set<Capability> capabilities) {
        ScriptBindings scripts = new ScriptBindings(
                new TokenMemory(simulation.limits.rememberTokens()),
                capabilities.contains(Capability.COUNTS_RECEIVERS));
        ServerTime now = new ServerTime(Server.EPOCH_MICROS + simulation.world.now() / NANOS_PER_MICRO);
        ServerClocks clocks = new ServerClocks(machine, now, machine.nanoTime());
        LockStore alone = new ScriptStore(paths.get(0).transport(), scripts, clocks);
        return simulation.plan.setup().combines()
                ? new LeanReleases(new CombiningStore(alone, scripts::combines, machine, () -> 1))
                : alone;
    }

    /** Returns the store over all servers, which have been reached. */
    private QuorumStore quorum(Chance jitter) {
        QuorumParts parts = new QuorumParts(
                machine,
                machine,
                machine,
                jitter::nextDouble,
                QuorumRequest.marker(ServerTruth.PREFIX),
                QuorumServers.LONGEST,
                NODE_TIMEOUT_NANOS,
                simulation.limits.commandTimeout().toNanos());
        ScriptBindings scripts = new ScriptBindings(new TokenMemory(simulation.limits.rememberTokens()), false);
        List<Node> nodes = new ArrayList<>();
        for (int i = 0; i < paths.size(); i++) {
            SimTransport transport = paths.get(i).transport();
            Node node = new Node(i, "server " + i, parts);
            ServerTime now = new ServerTime(simulation.servers.get(i).redis().micros());
            ServerClocks clocks = new ServerClocks(machine, now, machine.nanoTime());
            node.connect(
                    transport,
                    new ScriptStore(transport, scripts, clocks),
                    simulation.plan.setup().answersAtOnce());
            nodes.add(node);
        }
        return new QuorumStore(nodes, parts);
    }

    private Chance chance(int purpose) {
        return chance(purpose, 0);
    }

    private Chance chance(int purpose, int server) {
        return new Chance(simulation.world, simulation.plan.seed(), number * 16L + purpose + server * 4096L);
    }

    static Limits limits(Setup setup) {
        return new Limits(
                Duration.ofMillis(setup.commandMillis()),
                Duration.ofSeconds(5),
                setup.ofQuorum() ? QuorumServers.MAX_LEASE : Duration.ofMinutes(1),
                Duration.ofMillis(setup.memoryMillis()));
    }

    /** Returns the lock of this name, with these options. */
    DistributedLock lock(String name, boolean fair, LockOptions options) {
        LockKey key =
                simulation.plan.setup().ofQuorum() ? QuorumKey.of(ServerTruth.PREFIX, name) : ServerTruth.lockKey(name);
        return fair ? engine.fairLock(key, options) : engine.lock(key, options);
    }

    /** Returns the read side of the lock of this name. */
    DistributedLock reads(String name, LockOptions options) {
        return engine.lock(ReadKey.of(ServerTruth.lockKey(name)), options);
    }

    /** Returns so many permits of the semaphore of this name. */
    DistributedLock permits(String name, int permits, boolean fair, LockOptions options) {
        LockKey key = PermitKey.of(ServerTruth.lockKey(name), Entry.ALL_PERMITS, permits);
        return fair ? engine.fairLock(key, options) : engine.lock(key, options);
    }

    /** Returns the locks of these names, to be acquired together. */
    MultiLock locks(List<String> names, LockOptions options) {
        return engine.multiLock(names.stream().map(ServerTruth::lockKey).toList(), options);
    }

    DistributedLatch latch(String name) {
        String latch = Entry.latchOf(name);
        return latch.isEmpty()
                ? engine.latch(ServerTruth.lockKey(name))
                : engine.latch(ServerTruth.lockKey(latch)).round(Entry.numberOf(name));
    }

    /** Returns the elections, for one candidate. */
    Candidates elections() {
        Candidates one = engine.candidates();
        elections.add(one);
        return one;
    }

    CompletionStage<Lease> resume(String exported, LockOptions options) {
        return engine.resumeAsync(ExportedLease.decode(ServerTruth.PREFIX, exported), options);
    }

    void requestRelease(String lock) {
        if (!Entry.isPlain(lock)) {
            CompletionStage<?> unused = engine.lock(
                            ServerTruth.lockKey(lock), LockOptions.builder().build())
                    .requestReleaseAsync();
        }
    }

    /** Takes a lock away from its holders. */
    void forceRelease(String lock, int op) {
        called(op, What.FORCES, lock, 0);
        Boolean unused = store.call(() ->
                engine.lock(ServerTruth.lockKey(lock), LockOptions.defaults()).forceRelease());
    }

    /** Changes the number of permits of a semaphore. */
    void changePermits(String lock, int permits, int op) {
        called(op, What.CHANGES_PERMITS, lock, permits);
        Integer unused =
                store.call(() -> engine.semaphore(ServerTruth.lockKey(lock), Entry.ALL_PERMITS, LockOptions.defaults())
                        .changePermits(permits));
    }

    private void called(int op, What what, String lock, int permits) {
        long until = simulation.world.now() + simulation.limits.commandTimeout().toNanos();
        simulation.history.add(new Entry(simulation.world.now(), number, op, what, lock, "", permits, until, ""));
    }

    /** Makes the lease of a writer one of a reader. */
    CompletionStage<Lease> downgrade(String lock, Lease writer) {
        return engine.readWriteLock(ServerTruth.lockKey(lock), LockOptions.defaults())
                .downgradeAsync(writer);
    }

    /** Exports a lease; null if Redis did not answer at once. */
    @Nullable
    String export(Lease lease) {
        return store.call(lease::export);
    }

    boolean gone() {
        return closed || machine.dead();
    }

    void strike(Fault fault) {
        long now = simulation.world.now();
        if (gone() && fault.kind().scope == FaultKind.Scope.CLIENT) {
            return;
        }
        simulation.history.add(
                Entry.of(now, number, What.FAULT, fault.felt(), fault.kind().name()));
        switch (fault.kind()) {
            case CONNECTION_LOST ->
                struck(fault).forEach(path -> path.transport().breakConnections());
            case CONNECTION_SILENT ->
                struck(fault).forEach(path -> path.transport().silence((int) fault.amount()));
            case CLIENT_PAUSED -> {
                stopped(now + fault.duration());
                machine.standStill(fault.duration());
            }
            case CLIENT_SUSPENDED -> suspend(fault, now);
            case WALL_STEP -> {
                machine.stepWall(fault.amount() / NANOS_PER_MILLI);
                jumped(now, fault.amount() < 0 ? "back" : "forward");
            }
            case CLIENT_CRASHED -> {
                machine.crash();
                paths.forEach(path -> path.transport().crashed());
                simulation.history.add(Entry.of(now, number, What.CRASHED, 0, ""));
            }
            case CLIENT_CLOSED -> machine.deliver(this::close);
            default -> struck(fault).forEach(path -> path.network().strike(fault));
        }
        if (fault.kind().scope == FaultKind.Scope.CLIENT && fault.kind() != FaultKind.ANSWER_LOST) {
            simulation.met.count(fault.kind());
        }
    }

    private List<Path> struck(Fault fault) {
        return IntStream.range(0, paths.size())
                .filter(server -> fault.isOnPathTo(server, paths.size()))
                .mapToObj(paths::get)
                .toList();
    }

    private void suspend(Fault fault, long now) {
        if (machine.suspend(fault.duration())) {
            stopped(now + fault.duration());
            jumped(now + fault.duration(), "suspended");
        }
    }

    private void stopped(long until) {
        simulation.history.add(Entry.of(simulation.world.now(), number, What.STOPPED, until, ""));
    }

    private void jumped(long until, String how) {
        simulation.history.add(Entry.of(simulation.world.now(), number, What.CLOCKS_JUMPED, until, how));
    }

    private Message sent(ScriptCall call) {
        Message message = new Message(number, call, simulation.world.now());
        simulation.messages.add(message);
        return message;
    }

    private void close() {
        closed = true;
        elections.forEach(Candidates::closeAll);
        // As the client's close() does, which waits meanwhile: a simulated thread must not wait. The process continues.
        simulation.givenBack(this);
        engine.shutDownButForTerms();
        shutDown(simulation.limits.commandTimeout().toNanos() / NANOS_PER_MILLI);
    }

    /** Gives back the terms too, once their leaders were notified. */
    private void shutDown(long timeoutMillis) {
        if (timeoutMillis <= 0 || elections.stream().allMatch(Candidates::allDemoted)) {
            // Until then the leases of its terms count.
            simulation.history.add(Entry.of(simulation.world.now(), number, What.CLOSED, 0, ""));
            engine.shutDown();
        } else {
            machine.schedule(() -> shutDown(timeoutMillis - 1), NANOS_PER_MILLI);
        }
    }
}
