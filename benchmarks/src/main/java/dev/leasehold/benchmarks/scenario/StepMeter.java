package dev.leasehold.benchmarks.scenario;

import dev.leasehold.benchmarks.measure.CpuTime;
import dev.leasehold.benchmarks.measure.Pause;
import dev.leasehold.benchmarks.measure.ServerStats;
import dev.leasehold.benchmarks.measure.Step;
import dev.leasehold.benchmarks.subject.ScriptConnection;
import dev.leasehold.internal.script.ScriptBindings;
import dev.leasehold.internal.script.TokenMemory;
import dev.leasehold.internal.store.StoreRequest;
import dev.leasehold.spi.Script;
import dev.leasehold.spi.ScriptCall;
import dev.leasehold.testkit.EmbeddedRedis;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Sends script calls one after another, and finds slow ones by the server's slow log. After each step it measures two scripts
 * without any command, so that a disturbance of the machine shows in them too.
 */
final class StepMeter implements AutoCloseable {

    /** The part of the steps that measure the machine. */
    static final String MACHINE = "the machine";

    private static final ScriptBindings SCRIPTS = new ScriptBindings(new TokenMemory(Duration.ofMinutes(1)), true);
    private static final int BASELINE_CALLS = 1000;
    private static final int CALIBRATION = 10_000;
    private static final double BUSY_MICROS = 100;
    private static final Duration SETTLE = Duration.ofMillis(1);
    private static final long TIMEOUT = TimeUnit.SECONDS.toNanos(10);
    private static final Script EMPTY = script("empty", "return {'done'}");
    private static final Script BUSY =
            script("busy", "local n = 0 for i = 1, tonumber(ARGV[1]) do n = n + i % 7 end return {'done'}");

    private final EmbeddedRedis redis;
    private final ScriptConnection connection;
    private final CpuTime cpu;
    private final Map<String, Step> steps = new LinkedHashMap<>();
    private final List<Step.Slow> slow = new ArrayList<>();
    private final ScriptCall busy;

    StepMeter(EmbeddedRedis redis) {
        this.redis = redis;
        connection = new ScriptConnection(redis.uri());
        cpu = new CpuTime(redis.pid());
        redis.command("CONFIG", "SET", "slowlog-log-slower-than", Long.toString(Step.SLOW_MICROS));
        redis.command("CONFIG", "SET", "slowlog-max-len", "100000");
        redis.command("SLOWLOG", "RESET");
        busy = busyFor(CALIBRATION * BUSY_MICROS / calibrate());
    }

    private static Script script(String name, String body) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-1").digest(body.getBytes(StandardCharsets.UTF_8));
            return new Script(name, body, HexFormat.of().formatHex(digest));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-1", e);
        }
    }

    private static ScriptCall busyFor(double rounds) {
        return new ScriptCall(BUSY, List.of(), List.of(Long.toString(Math.round(rounds))), TIMEOUT);
    }

    /** Returns the time of the busy script with the rounds of the calibration. */
    private double calibrate() {
        ScriptCall call = busyFor(CALIBRATION);
        connection.load(call);
        send(call);
        ServerStats before = ServerStats.now(redis);
        for (int n = 0; n < BASELINE_CALLS; n++) {
            send(call);
        }
        return ServerStats.now(redis).since(before).scripts().each();
    }

    /** Sends a request by its script, and returns the answer. */
    <A> A send(StoreRequest<A> request) {
        return SCRIPTS.read(request, send(SCRIPTS.call(request)));
    }

    /** Sends a call, and returns the reply. */
    List<String> send(ScriptCall call) {
        connection.load(call);
        long cpuBefore = cpu.nanos();
        long begun = System.nanoTime();
        List<String> reply = connection.send(call);
        if (System.nanoTime() - begun > TimeUnit.MICROSECONDS.toNanos(Step.SLOW_MICROS)) {
            inspect(call, cpuBefore);
        }
        return reply;
    }

    /** Reads the slow log after a call that took the client long. */
    private void inspect(ScriptCall call, long cpuBefore) {
        settle();
        long onCore = TimeUnit.NANOSECONDS.toMicros(cpu.nanos() - cpuBefore);
        if (redis.command("SLOWLOG", "GET", "100") instanceof List<?> entries) {
            for (Object entry : entries) {
                if (entry instanceof List<?> fields && isScript(fields)) {
                    long micros = Long.parseLong(String.valueOf(fields.get(2)));
                    slow.add(new Step.Slow(call.script().name(), micros, Math.min(micros, onCore)));
                }
            }
        }
        redis.command("SLOWLOG", "RESET");
    }

    /** Waits until the server sleeps: the scheduler counts the time of a thread when it leaves the core. */
    private static void settle() {
        Pause.of(SETTLE);
    }

    /** An entry is: id, time, microseconds, and the words of the command. */
    private static boolean isScript(List<?> fields) {
        return fields.get(3) instanceof List<?> words
                && String.valueOf(words.get(0)).equalsIgnoreCase("EVALSHA");
    }

    /** Measures calls of one kind; each call reports whether it kept what it should. */
    void step(String part, String name, List<? extends BooleanSupplier> calls) {
        measure(part, name, calls);
        List<BooleanSupplier> baseline = new ArrayList<>();
        ScriptCall empty = new ScriptCall(EMPTY, List.of(), List.of(), TIMEOUT);
        for (int n = 0; n < BASELINE_CALLS; n++) {
            baseline.add(() -> !send(empty).isEmpty());
        }
        measure(MACHINE, "an empty script", baseline);
        baseline.replaceAll(call -> () -> !send(busy).isEmpty());
        measure(MACHINE, "a script that only counts", baseline);
    }

    /** Measures calls of one kind without the two scripts. */
    void briefStep(String part, String name, List<? extends BooleanSupplier> calls) {
        measure(part, name, calls);
    }

    private void measure(String part, String name, List<? extends BooleanSupplier> calls) {
        slow.clear();
        ServerStats before = ServerStats.now(redis);
        settle();
        long lost = calls.stream().filter(call -> !call.getAsBoolean()).count();
        ServerStats.Cost cost = ServerStats.now(redis).since(before).scripts();
        Step step = new Step(part, name, cost.calls(), cost.micros(), slow, lost);
        steps.merge(part + ", " + name, step, Step::plus);
        step.longest()
                .ifPresent(
                        call -> System.err.println("scale, " + part + ", " + name + ": " + step.above(Step.SLOW_MICROS)
                                + " of " + step.calls() + " calls are slow, the longest: " + call));
    }

    /** Returns all steps, those of the machine last. */
    List<Step> steps() {
        List<Step> ordered = new ArrayList<>(steps.values().stream()
                .filter(step -> !step.part().equals(MACHINE))
                .toList());
        steps.values().stream().filter(step -> step.part().equals(MACHINE)).forEach(ordered::add);
        return ordered;
    }

    @Override
    public void close() {
        cpu.close();
        connection.close();
    }
}
