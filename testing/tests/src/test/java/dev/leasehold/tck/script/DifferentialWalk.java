package dev.leasehold.tck.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.spi.Script;
import dev.leasehold.spi.ScriptCall;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.SimulatedRedis;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.UnaryOperator;

/**
 * Random steps on a simulated server, sent in batches to a real one too. There the scripts get the simulation's
 * TIME as two more arguments. All moments are so far in the future that nothing expires on the real server by
 * itself: keys that expire in the simulation are deleted there.
 */
final class DifferentialWalk implements AutoCloseable {

    private static final int BATCH = 200;
    /** The start of time, in us: in the year 2096. */
    private static final long BEGINNING = 4_000_000_000_000_000L;

    private static final String TIME = "redis.call('TIME')";
    private static final String GIVEN_TIME = "{table.remove(ARGV, #ARGV - 1), table.remove(ARGV)}";

    private static final String MILLIS = "math.floor(tonumber(now_text) / 1000)";

    /** Expiry that is relative to the clock of the server becomes relative to TIME, too. */
    private static final Map<String, String> RELATIVE = Map.of(
            "redis.call('PTTL', name)",
            "(function() local e = redis.call('PEXPIRETIME', name) return e < 0 and e or e - " + MILLIS + " end)()",
            "'PX', lease)",
            "'PXAT', string.format('%.0f', " + MILLIS + " + lease))",
            "redis.call('PEXPIRE', name, left)",
            "redis.call('PEXPIREAT', name, string.format('%.0f', " + MILLIS + " + left))");

    private final long seed;
    private final Random random;
    private final Wire wire;
    private final Map<String, Integer> seen;
    private final RandomCalls calls;
    private final Map<String, Script> rewritten = new HashMap<>();
    private final List<List<String>> sent = new ArrayList<>();
    private final List<Expected> expected = new ArrayList<>();
    private final SimulatedRedis simulation;
    private long time = BEGINNING;

    /** The simulation's reply to a command, null if it is irrelevant, in the form in which both are compared. */
    private record Expected(String what, Object reply, UnaryOperator<Object> normal) {}

    DifferentialWalk(EmbeddedRedis redis, long seed, Map<String, Integer> seen) {
        this.seed = seed;
        this.seen = seen;
        this.random = new Random(seed);
        this.calls = new RandomCalls(random);
        this.wire = new Wire(redis);
        this.simulation = SimulatedRedis.create(() -> time);
        wire.command(List.of("FLUSHALL"));
    }

    void run(int steps) {
        for (int step = 0; step < steps; step++) {
            moveClock();
            List<String> keys = calls.keys();
            for (String key : keys) {
                if (simulation.expiresAtMillis(key) == -2) {
                    both("the key has expired", List.of("DEL", key), false);
                }
            }
            String what = "seed " + seed + ", step " + step + ", TIME " + time;
            if (random.nextInt(10) == 0) {
                disturb(keys, what);
            } else {
                call(calls.next(keys, time, simulation.hash(keys.get(0)), text(keys.get(0))), what);
            }
            for (String key : keys) {
                checkUsual(key, what);
                both(what + ": fields", List.of("HGETALL", key), true);
                both(what + ": text", List.of("GET", key), false);
                both(what + ": expiry", List.of("PEXPIRETIME", key), false);
            }
            if (step % BATCH == BATCH - 1) {
                compare();
            }
        }
        compare();
    }

    /** A lock whose expiry is set ahead is in its usual state, and the key does not expire before. */
    private void checkUsual(String key, String what) {
        Map<String, String> fields = simulation.hash(key);
        if (fields.containsKey("ex")) {
            assertThat(fields).as(what).doesNotContainKeys("wn", "xn");
            assertThat(simulation.expiresAtMillis(key)).as(what).isEqualTo(Long.parseLong(fields.get("ex")));
        }
    }

    /** Returns the string under a key, empty if there is none. */
    private String text(String key) {
        Object reply = BothSides.simulated(simulation, List.of("GET", key));
        return reply instanceof String text ? text : "";
    }

    private void moveClock() {
        switch (random.nextInt(40)) {
            case 0 -> time -= random.nextLong(20_000_000);
            case 1 -> time += random.nextLong(100_000_000);
            default -> time += random.nextLong(4000);
        }
    }

    private void disturb(List<String> keys, String what) {
        for (List<String> command : calls.disturbance(keys, time, simulation.hash(keys.get(0)))) {
            both(what + ": " + command, command, false);
        }
    }

    private void call(ScriptCall call, String what) {
        List<String> args = command("EVAL", call.script().body(), call);
        Object reply = BothSides.simulated(simulation, args);
        count(call, reply);
        Script real = rewritten.computeIfAbsent(call.script().name(), name -> rewrite(call.script()));
        List<String> sha = command("EVALSHA", real.sha1(), call);
        sha.add(Long.toString(time / 1_000_000));
        sha.add(Long.toString(time % 1_000_000));
        sent.add(sha);
        Object named =
                reply instanceof String error ? error.replace(call.script().sha1(), real.sha1()) : reply;
        // Redis has no order of the fields of a hash.
        UnaryOperator<Object> normal =
                call.script().name().startsWith("inspect") ? BothSides::inspected : UnaryOperator.identity();
        expected.add(new Expected(
                what + ": " + call.script().name() + " " + args.subList(3, args.size()), normal.apply(named), normal));
    }

    private static List<String> command(String name, String script, ScriptCall call) {
        List<String> command = new ArrayList<>(
                List.of(name, script, Integer.toString(call.keys().size())));
        command.addAll(call.keys());
        command.addAll(call.args());
        return command;
    }

    private Script rewrite(Script script) {
        assertThat(script.body()).containsOnlyOnce(TIME);
        String body = script.body().replace(TIME, GIVEN_TIME);
        for (Map.Entry<String, String> relative : RELATIVE.entrySet()) {
            body = body.replace(relative.getKey(), relative.getValue());
        }
        // Both represent one server, with one run id.
        String info = String.valueOf(BothSides.simulated(simulation, List.of("INFO", "server")));
        body = body.replace("redis.call('INFO', 'server')", "[[" + info + "]]");
        return new Script(script.name(), body, (String) wire.command(List.of("SCRIPT", "LOAD", body)));
    }

    private void count(ScriptCall call, Object reply) {
        if (reply instanceof List<?> list) {
            seen.merge(call.script().name() + " " + list.get(0), 1, Integer::sum);
            for (int i = 2; list.get(0).equals("each") && i < list.size(); i += 2) {
                seen.merge(call.script().name() + " " + list.get(i), 1, Integer::sum);
            }
        } else if (reply instanceof String text) {
            String[] words = text.split(" ");
            seen.merge(call.script().name() + " " + words[0], 1, Integer::sum);
            for (int i = 2; words[0].equals("each") && i < words.length; i++) {
                seen.merge(call.script().name() + " " + words[i].split(":")[0], 1, Integer::sum);
            }
        } else {
            seen.merge(call.script().name() + " error", 1, Integer::sum);
        }
        for (String arg : call.args()) {
            if (arg.matches("[0-9]{10,16}")) {
                long number = Long.parseLong(arg);
                seen.merge("numbers above 2^31", number > 1L << 31 ? 1 : 0, Integer::sum);
                seen.merge("numbers above 10^14", number > 100_000_000_000_000L ? 1 : 0, Integer::sum);
            }
        }
    }

    private void both(String what, List<String> command, boolean hash) {
        Object reply = BothSides.simulated(simulation, command);
        sent.add(command);
        UnaryOperator<Object> normal = hash ? BothSides::fields : UnaryOperator.identity();
        expected.add(new Expected(what, normal.apply(reply), normal));
    }

    private void compare() {
        List<Object> replies = wire.commands(sent);
        for (int i = 0; i < replies.size(); i++) {
            Expected mine = expected.get(i);
            Object real = BothSides.plain(replies.get(i));
            if (mine.what.equals("the key has expired")) {
                continue;
            }
            assertThat(mine.normal.apply(real)).as(mine.what).isEqualTo(mine.reply);
        }
        sent.clear();
        expected.clear();
    }

    @Override
    public void close() {
        wire.close();
        simulation.close();
    }
}
