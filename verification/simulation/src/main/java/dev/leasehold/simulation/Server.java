package dev.leasehold.simulation;

import dev.leasehold.internal.script.CombinedScript;
import dev.leasehold.internal.script.LookManyScript;
import dev.leasehold.simulation.history.Entry;
import dev.leasehold.simulation.history.History;
import dev.leasehold.simulation.history.Unpromised;
import dev.leasehold.simulation.history.What;
import dev.leasehold.simulation.trace.Answered;
import dev.leasehold.simulation.trace.LockState;
import dev.leasehold.simulation.trace.Trace;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.ScriptCall;
import dev.leasehold.testkit.SimulatedRedis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One Redis of a simulation, usually the only one, with the states in which it answers late, wrongly, or not at all. */
final class Server implements AutoCloseable {

    /** Redis TIME at the beginning of the simulation. */
    static final long EPOCH_MICROS = 1_790_000_000_000_000L;

    private static final Set<FaultKind> STEPS = EnumSet.of(
            FaultKind.CLOCK_BACK,
            FaultKind.CLOCK_FORWARD,
            FaultKind.FAIL_OVER_CLOCK_AHEAD,
            FaultKind.FAIL_OVER_CLOCK_BEHIND);
    /** After these the replica follows a server that another one has become, or that has begun again. */
    private static final Set<FaultKind> PROMOTIONS = EnumSet.of(
            FaultKind.RESTART_WITHOUT_DATA,
            FaultKind.FAIL_OVER_LAGGING,
            FaultKind.FAIL_OVER_CLOCK_AHEAD,
            FaultKind.FAIL_OVER_TO_REPLICA);

    private final World world;
    private final History history;
    private final Met met;
    private final String name;
    private final SimulatedRedis redis;
    private final ServerObserver observer;
    private final @Nullable Trace trace;
    private final @Nullable Replica replica;
    private final List<Runnable> connections = new ArrayList<>();
    private final List<Failing> failing = new ArrayList<>();
    private long pausedUntil;
    private long downUntil;
    private int outOfMemory;
    private long clockOffset;

    private record Failing(FaultKind kind, long until, String error) {}

    /**
     * Creates one.
     *
     * @param name its name in a quorum; else empty
     * @param trace records what the scripts do; null if nobody asked for that
     * @param replica null if nobody waits for it
     */
    Server(
            World world,
            History history,
            Met met,
            String name,
            SimulatedRedis redis,
            ServerObserver observer,
            @Nullable Trace trace,
            @Nullable Replica replica) {
        this.world = world;
        this.history = history;
        this.met = met;
        this.name = name;
        this.redis = redis;
        this.observer = observer;
        this.trace = trace;
        this.replica = replica;
    }

    /** Registers a task that runs when all connections break. */
    void onBreak(Runnable broken) {
        connections.add(broken);
    }

    boolean down() {
        return world.now() < downUntil;
    }

    /** Returns when it will process a request that arrives now. */
    long processesAt() {
        return Math.max(world.now(), pausedUntil);
    }

    /** Returns what the scripts did; null if nobody asked to trace them. */
    @Nullable
    Trace trace() {
        return trace;
    }

    SimulatedRedis redis() {
        return redis;
    }

    /** Returns when the replica has received so many writes. */
    long arrivalAtReplica(long writes) {
        return Objects.requireNonNull(replica).arrivalOf(writes);
    }

    /** Sends the replica what was written since the history had so many entries. */
    private void replicate(int entries, boolean promoted) {
        if (replica != null) {
            List<Entry> holds = history
                    .entries()
                    .subList(entries, history.entries().size())
                    .stream()
                    .filter(entry -> entry.is(What.SERVER_GRANTED, What.SERVER_RENEWED))
                    .toList();
            if (promoted) {
                replica.follow(redis.writes(), holds);
            } else {
                replica.send(redis.writes(), holds);
            }
        }
    }

    /**
     * Runs a script now.
     *
     * @param tracking the connection, if it tracks keys
     * @throws RedisErrorException the error that Redis answers instead
     */
    List<String> run(ScriptCall call, @Nullable Consumer<String> tracking) {
        failing.removeIf(one -> one.until <= world.now());
        for (Failing one : failing) {
            met.count(one.kind);
            throw new RedisErrorException(one.error);
        }
        int entries = history.entries().size();
        try {
            Map<String, LockState> before = trace == null ? Map.of() : trace.before(call.keys());
            List<String> reply = redis.eval(call, tracking);
            if (tracking != null) {
                redis.track(call.keys(), tracking);
            }
            List<Answered> answered = Answered.each(call, reply);
            if (trace != null) {
                trace.called(answered, before);
            }
            answered.forEach(observer::executed);
            if (call.script().equals(LookManyScript.SCRIPT)) {
                met.count(Met.Deed.ROLL_CALLED);
            } else if (call.script().equals(CombinedScript.SCRIPT)) {
                met(Integer.parseInt(call.args().get(0)), call.keys().size(), reply.get(0));
            }
            return reply;
        } catch (RedisErrorException e) {
            if (e.code().equals("OOM")) {
                met.count(FaultKind.OUT_OF_MEMORY);
            }
            throw e;
        } finally {
            replicate(entries, false);
        }
    }

    private void met(int acquisitions, int entries, String reply) {
        if (acquisitions > 1) {
            met.count(Met.Deed.ACQUIRED_TOGETHER);
        }
        if (acquisitions < entries) {
            met.count(Met.Deed.RELEASED_TOGETHER);
        }
        if (reply.contains("undecided")) {
            met.count(Met.Deed.LEFT_UNDECIDED);
        }
    }

    /** Causes a fault of the server. */
    void strike(Fault fault, List<String> locks) {
        FaultKind kind = fault.kind();
        String lock = kind == FaultKind.EVICTION ? locks.get((int) fault.amount()) : "";
        List<String> keys = locks.stream().map(ServerTruth::key).toList();
        Map<String, LockState> before = trace == null ? Map.of() : trace.before(keys);
        switch (kind) {
            case SERVER_PAUSED -> pausedUntil = Math.max(pausedUntil, world.now() + fault.duration());
            case RESTART_WITH_DATA -> restart(fault, true);
            case RESTART_WITHOUT_DATA -> restart(fault, false);
            case FAIL_OVER_LAGGING -> failOver(fault, (int) fault.amount(), 0);
            case FAIL_OVER_TO_REPLICA ->
                failOver(fault, Objects.requireNonNull(replica).missing(), 0);
            case REPLICA_LAGS -> Objects.requireNonNull(replica).lags(fault.duration(), fault.amount());
            case FAIL_OVER_CLOCK_AHEAD, FAIL_OVER_CLOCK_BEHIND -> failOver(fault, 0, fault.amount());
            case CLOCK_FORWARD, CLOCK_BACK -> stepClock(fault.amount());
            case EVICTION -> redis.evict(ServerTruth.key(lock));
            case OUT_OF_MEMORY -> fillMemory(fault.duration());
            case BUSY -> fail(fault, "BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN.");
            case LOADING -> fail(fault, "LOADING Redis is loading the dataset in memory");
            case READONLY -> fail(fault, "READONLY You can't write against a read only replica.");
            case NOSCRIPT -> redis.flushScripts();
            default -> throw new IllegalArgumentException(kind + " does not concern the server");
        }
        long step = STEPS.contains(kind) ? fault.amount() : 0;
        long until = world.now() + fault.duration();
        history.add(new Entry(world.now(), -1, -1, What.FAULT, lock, name, step, until, kind.name()));
        if (kind != FaultKind.BUSY
                && kind != FaultKind.LOADING
                && kind != FaultKind.READONLY
                && kind != FaultKind.OUT_OF_MEMORY) {
            met.count(kind);
        }
        if (trace != null) {
            trace.struck(kind.name(), !Unpromised.losesData(kind.name()), before);
        }
        int entries = history.entries().size();
        observer.struck(kind, step);
        replicate(entries, PROMOTIONS.contains(kind));
    }

    private void fail(Fault fault, String error) {
        failing.add(new Failing(fault.kind(), world.now() + fault.duration(), error));
    }

    private void restart(Fault fault, boolean keepData) {
        redis.restart(keepData);
        unreachable(fault.duration());
    }

    private void stepClock(long nanos) {
        clockOffset += nanos;
        redis.stepClock(Duration.ofNanos(nanos));
    }

    private void failOver(Fault fault, int lostWrites, long clockStep) {
        clockOffset += clockStep;
        redis.failOver(lostWrites, Duration.ofNanos(clockOffset));
        unreachable(fault.duration());
    }

    private void unreachable(long duration) {
        downUntil = Math.max(downUntil, world.now() + duration);
        pausedUntil = 0;
        connections.forEach(Runnable::run);
    }

    private void fillMemory(long duration) {
        outOfMemory++;
        redis.outOfMemory(true);
        world.after(duration, () -> {
            outOfMemory--;
            redis.outOfMemory(outOfMemory > 0);
        });
    }

    @Override
    public void close() {
        redis.close();
    }
}
