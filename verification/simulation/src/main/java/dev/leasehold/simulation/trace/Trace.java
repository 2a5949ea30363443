package dev.leasehold.simulation.trace;

import dev.leasehold.simulation.history.Entry;
import dev.leasehold.simulation.history.History;
import dev.leasehold.testkit.SimulatedRedis;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Records what the scripts of a run did with each lock, between the entries of its history. */
public final class Trace {

    private final History history;
    private final SimulatedRedis redis;
    private final LongSupplier nanos;
    private final List<Step> steps = new ArrayList<>();

    /**
     * What happened to a lock in Redis, after so many entries of the history.
     *
     * @param at true time, in ns
     * @param micros Redis' time
     * @param call what a script did; null if it was a fault
     * @param fault its kind; empty if it was a script
     * @param keeps whether the fault keeps the data
     */
    record Step(
            int entries,
            long at,
            long micros,
            String key,
            @Nullable Answered call,
            String fault,
            boolean keeps,
            LockState before,
            LockState after) {}

    /** Begins with the present. */
    public Trace(History history, SimulatedRedis redis, LongSupplier nanos) {
        this.history = history;
        this.redis = redis;
        this.nanos = nanos;
    }

    /** Returns the states of these keys, for the call that follows. */
    public Map<String, LockState> before(Collection<String> keys) {
        Map<String, LockState> states = new TreeMap<>();
        keys.forEach(key -> states.put(key, state(key)));
        return states;
    }

    private LockState state(String key) {
        return key.contains(Entry.LATCH)
                ? LockState.of(Map.of(), 0)
                : LockState.of(redis.hash(key), redis.expiresAtMillis(key));
    }

    /** Records what a script did with locks. What it did twice with one lock is recorded as one step that no model has. */
    public void called(List<Answered> calls, Map<String, LockState> before) {
        Map<String, Answered> byKey = new LinkedHashMap<>();
        for (Answered call : calls) {
            byKey.merge(call.key(), call, (one, other) -> new Answered("several", one.key(), List.of(), one.reply()));
        }
        byKey.forEach((key, call) -> add(key, call, "", true, Objects.requireNonNull(before.get(key))));
    }

    /** Records a fault of the server. */
    public void struck(String fault, boolean keeps, Map<String, LockState> before) {
        before.forEach((key, state) -> add(key, null, fault, keeps, state));
    }

    private void add(String key, @Nullable Answered call, String fault, boolean keeps, LockState before) {
        steps.add(new Step(
                history.entries().size(),
                nanos.getAsLong(),
                redis.micros(),
                key,
                call,
                fault,
                keeps,
                before,
                state(key)));
    }

    List<Step> steps() {
        return steps;
    }

    History history() {
        return history;
    }
}
