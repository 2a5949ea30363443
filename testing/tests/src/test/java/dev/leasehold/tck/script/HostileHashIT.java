package dev.leasehold.tck.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.CountDownId;
import dev.leasehold.internal.key.Holder;
import dev.leasehold.internal.key.KeyPrefix;
import dev.leasehold.internal.key.LatchKey;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.OwnerKey;
import dev.leasehold.internal.key.PermitKey;
import dev.leasehold.internal.key.PlainKey;
import dev.leasehold.internal.key.ReadKey;
import dev.leasehold.internal.key.RedissonKey;
import dev.leasehold.internal.script.CombinedScript;
import dev.leasehold.internal.script.QuorumRequest;
import dev.leasehold.internal.script.ScriptBindings;
import dev.leasehold.internal.script.TokenMemory;
import dev.leasehold.internal.store.AcquireFreeLock;
import dev.leasehold.internal.store.AcquireHold;
import dev.leasehold.internal.store.AcquireHolds;
import dev.leasehold.internal.store.ChangePermits;
import dev.leasehold.internal.store.ContinueHandOff;
import dev.leasehold.internal.store.CountDown;
import dev.leasehold.internal.store.DowngradeHold;
import dev.leasehold.internal.store.ForceRelease;
import dev.leasehold.internal.store.InspectLock;
import dev.leasehold.internal.store.LeaseSpan;
import dev.leasehold.internal.store.LeaveQueue;
import dev.leasehold.internal.store.ReadLatch;
import dev.leasehold.internal.store.ReleaseHold;
import dev.leasehold.internal.store.RenewHold;
import dev.leasehold.internal.store.RenewHolds;
import dev.leasehold.internal.store.RequestRelease;
import dev.leasehold.internal.store.ResumeHold;
import dev.leasehold.internal.store.SendHeartbeats;
import dev.leasehold.internal.store.ServerTime;
import dev.leasehold.internal.store.SetLatch;
import dev.leasehold.internal.store.StoreRequest;
import dev.leasehold.internal.store.TokenFloor;
import dev.leasehold.internal.store.Waiter;
import dev.leasehold.spi.ScriptCall;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.SimulatedRedis;
import dev.leasehold.testkit.WithRedis;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Every script over hashes of hostile values. Whatever lies under a key, a script ends soon and answers little: otherwise a user who
 * may write one key stops the whole server, or has the client lose leases while it reads. A script that answers with an error has
 * changed nothing, and a forced release makes each lock usable again.
 */
@WithRedis
class HostileHashIT {

    /** The most bytes of a reply; an inspection tells more. */
    private static final int MOST_BYTES = 4096;

    private static final int MOST_BYTES_OF_AN_INSPECTION = 100_000;
    private static final int MOST_COMMANDS = 2500;
    private static final int SLOW_MICROS = 50_000;
    private static final int TIMES = 20;
    private static final int MOST_POLLS = 60;

    /** A time of the simulated server, at which no request is late. */
    private static final long NOW = 2_000_000_000_000_000L;

    private static final int LARGE = 1000;
    /** One in so many states is tried on the real server, and each large one. */
    private static final int EVERY = DifferentialIT.NIGHTLY ? 7 : 21;

    /** The same on the simulated one, where all are tried each night. */
    private static final int EVERY_SIMULATED = DifferentialIT.NIGHTLY ? 1 : 12;

    private static final Pattern USED = Pattern.compile("used_cpu_(?:sys|user):([\\d.]+)");
    private static final Pattern PROCESSED = Pattern.compile("total_commands_processed:(\\d+)");

    private static final LockKey KEY = LockKey.of(new KeyPrefix("leasehold"), "a");
    private static final LatchKey LATCH = new LatchKey(KEY);
    private static final LockKey OTHER = LockKey.of(new KeyPrefix("leasehold"), "b");
    private static final String TEMPLATE = "template";
    private static final String MARKER = QuorumRequest.marker(new KeyPrefix("leasehold"));
    private static final LeaseSpan LEASE = new LeaseSpan(10_000_000_000L);
    private static final TokenFloor FLOOR = new TokenFloor(0);
    private static final List<String> IDS = List.of("a1", "z9");
    private static final List<Waiter> WAITERS =
            List.of(Waiter.NONE, new Waiter("w:1", 5), new Waiter("w:9", 0, 1, true));
    private static final ServerTime EVER = Bench.EVER;

    private final ScriptBindings scripts = new ScriptBindings(new TokenMemory(Duration.ofMinutes(1)), true);

    /** Returns requests to all scripts, by turns of a holder and of somebody else, who waits or not. */
    static List<StoreRequest<?>> requests(int turn) {
        AcquisitionId id = new AcquisitionId(IDS.get(turn % IDS.size()));
        Waiter waiter = WAITERS.get(turn / IDS.size() % WAITERS.size());
        List<StoreRequest<?>> requests = ofHolder(id, waiter);
        requests.addAll(ofOthers());
        return requests;
    }

    private static List<StoreRequest<?>> ofHolder(AcquisitionId id, Waiter waiter) {
        List<StoreRequest<?>> requests = new ArrayList<>();
        requests.add(acquire(KEY, id, OwnerKey.anonymous(id), waiter));
        requests.add(acquire(KEY, id, OwnerKey.named("job"), waiter));
        requests.add(acquire(ReadKey.of(KEY), id, OwnerKey.anonymous(id), waiter));
        requests.add(acquire(PermitKey.of(KEY, 4, 2), id, OwnerKey.anonymous(id), waiter));
        AcquireFreeLock free = new AcquireFreeLock(KEY, id, LEASE, EVER, FLOOR, holder(), 1);
        ReleaseHold usual = new ReleaseHold(KEY, id, new LeaseSpan(0), true, ServerTime.NONE, 1);
        requests.add(free);
        requests.add(usual);
        requests.add(new CombinedScript.Request(List.of(free), List.of(usual), 1));
        requests.add(new AcquireHolds(
                true,
                List.of(
                        acquire(KEY, id, OwnerKey.anonymous(id), Waiter.NONE),
                        acquire(OTHER, id, OwnerKey.anonymous(id), Waiter.NONE)),
                1));
        for (LeaseSpan lease : List.of(LEASE, LeaseSpan.CONFIRM)) {
            requests.add(new RenewHolds(
                    lease,
                    List.of(new RenewHolds.Entry(KEY, id), new RenewHolds.Entry(OTHER, new AcquisitionId("b9"))),
                    1));
        }
        requests.add(new ReleaseHold(KEY, id, LEASE, false, EVER, 1));
        requests.add(new ReleaseHold(KEY, id, LEASE, false, ServerTime.NONE, new ReleaseHold.Tokens(7, 7), 1));
        requests.add(new RenewHold(KEY, id, LEASE, 1));
        requests.add(new ContinueHandOff(KEY, id, LEASE, 5, 4, 1));
        requests.add(new ContinueHandOff.Retain(KEY, id, LEASE, 7, "w:1", false, 1));
        requests.add(new DowngradeHold(KEY, id, FLOOR, 0, 1));
        requests.add(new ResumeHold(
                KEY,
                new AcquisitionId("new"),
                new ResumeHold.Former(id, EVER),
                OwnerKey.anonymous(id),
                LEASE,
                EVER,
                FLOOR,
                holder(),
                1));
        for (LockKey foreign : List.of(PlainKey.of(KEY.key()), RedissonKey.of(KEY.key(), true))) {
            requests.add(acquire(foreign, id, OwnerKey.anonymous(id), Waiter.NONE));
            requests.add(new RenewHold(foreign, id, LEASE, 1));
            requests.add(new RenewHolds(
                    LEASE, List.of(new RenewHolds.Entry(foreign, id), new RenewHolds.Entry(foreign, id)), 1));
            requests.add(new ReleaseHold(foreign, id, LEASE, false, ServerTime.NONE, 1));
        }
        requests.add(new QuorumRequest.Acquire(KEY, id, LEASE, EVER, FLOOR, holder(), MARKER, LEASE, 1));
        return requests;
    }

    private static List<StoreRequest<?>> ofOthers() {
        CountDownId count = CountDownId.of(new AcquisitionId("c1"));
        return List.of(
                new RequestRelease(KEY, EVER, 1),
                new ForceRelease(KEY, 0, EVER, 1),
                new ForceRelease(KEY, 7, EVER, 1),
                new ForceRelease(PlainKey.of(KEY.key()), 0, EVER, 1),
                new ForceRelease(RedissonKey.of(KEY.key(), true), 0, EVER, 1),
                new InspectLock(KEY, 1),
                new InspectLock(PlainKey.of(KEY.key()), 1),
                new InspectLock(RedissonKey.of(KEY.key(), true), 1),
                new InspectLock.Many(List.of(KEY, OTHER), 1),
                new LeaveQueue(KEY, new Waiter("w:1", 5), null, 1),
                new LeaveQueue(KEY, new Waiter("w:1", 0), new AcquisitionId("b"), 1),
                new SendHeartbeats(List.of(new SendHeartbeats.Entry(KEY, new Waiter("w:1", 5))), 1),
                new ChangePermits(KEY, 9, EVER, 1),
                new SetLatch(LATCH, count, 3, LEASE, EVER, 1),
                new CountDown(LATCH, count, EVER, 1),
                new ReadLatch(LATCH, Waiter.NONE, 1),
                new ReadLatch(LATCH, new Waiter("w:1", 1), 1),
                new SetLatch(LATCH.round(5), count, 3, LEASE, EVER, 1),
                new CountDown(LATCH.round(3), count, EVER, 1),
                new ReadLatch(LATCH.round(4), new Waiter("w:1", 1), 1),
                new ReadLatch(LatchKey.any(KEY), Waiter.NONE, 1),
                new QuorumRequest.Raise(KEY, 7, 1),
                new QuorumRequest.Join(KEY.key(), LEASE, 1));
    }

    private static Holder holder() {
        return new Holder("17@host", "main", "");
    }

    private static AcquireHold acquire(LockKey key, AcquisitionId id, OwnerKey owner, Waiter waiter) {
        return new AcquireHold(key, id, owner, LEASE, EVER, FLOOR, holder(), waiter, 1);
    }

    @Test
    void eachScriptIsCalled() {
        assertThat(requests(0).stream()
                        .map(request -> scripts.call(request).script().name())
                        .distinct())
                .containsAll(DifferentialIT.NAMES);
    }

    @Test
    void noScriptRunsForLongOrAnswersMuch() {
        List<String> problems = new ArrayList<>();
        AtomicInteger turn = new AtomicInteger();
        try (SimulatedRedis redis = SimulatedRedis.create(() -> NOW)) {
            HostileHashes.of(NOW).forEach((what, fields) -> {
                int n = turn.getAndIncrement();
                if (n % EVERY_SIMULATED > 0 && fields.size() <= LARGE) {
                    return;
                }
                requests(n / EVERY_SIMULATED).forEach(request -> {
                    ScriptCall call = scripts.call(request);
                    write(KEY.key(), fields).forEach(command -> BothSides.simulated(redis, command));
                    List<String> eval = command("EVAL", call.script().body(), call);
                    Object reply = BothSides.simulated(redis, eval);
                    check(what, call, reply, problems);
                    checkRead(what, request, call, reply, problems);
                    if (isError(reply)
                            && !content(command -> BothSides.simulated(redis, command), KEY.key())
                                    .equals(fields)) {
                        problems.add(named(what, call) + reply + ", and has changed the key");
                    }
                });
            });
        }
        assertThat(problems).isEmpty();
    }

    @Test
    void noScriptKeepsARealServerFromItsWork(EmbeddedRedis redis) {
        List<String> problems = new ArrayList<>();
        AtomicInteger turn = new AtomicInteger();
        try (Wire wire = new Wire(redis)) {
            wire.command(List.of("CONFIG", "SET", "slowlog-log-slower-than", Integer.toString(SLOW_MICROS)));
            long now = Long.parseLong(
                            ((List<?>) wire.command(List.of("TIME"))).get(0).toString())
                    * Bench.SECOND;
            HostileHashes.of(now).forEach((what, fields) -> {
                int n = turn.getAndIncrement();
                if (n % EVERY == 0 || fields.size() > LARGE) {
                    wire.commands(write(TEMPLATE, fields));
                    requests(n / EVERY).forEach(request -> {
                        ScriptCall call = scripts.call(request);
                        Object reply = run(wire, what, call, problems);
                        check(what, call, reply, problems);
                        checkRead(what, request, call, reply, problems);
                        if (isError(reply)
                                && !content(wire::command, KEY.key()).equals(content(wire::command, TEMPLATE))) {
                            problems.add(named(what, call) + reply + ", and has changed the key");
                        }
                    });
                }
            });
        }
        assertThat(problems).isEmpty();
    }

    /** An operator takes the lock away, whatever is stored of it; then it can be acquired, released and acquired again. */
    @Test
    void aForcedReleaseMakesEachLockUsableAgain() {
        AtomicLong now = new AtomicLong(NOW);
        List<String> problems = new ArrayList<>();
        AtomicInteger turn = new AtomicInteger();
        try (SimulatedRedis redis = SimulatedRedis.create(now::get)) {
            HostileHashes.of(NOW).forEach((what, fields) -> {
                if (turn.getAndIncrement() % EVERY_SIMULATED > 0 || !"1".equals(fields.get("v"))) {
                    return;
                }
                for (boolean fair : List.of(false, true)) {
                    for (LockKey key : List.of(KEY, ReadKey.of(KEY), PermitKey.of(KEY, 4, 2))) {
                        now.set(NOW);
                        write(KEY.key(), fields).forEach(command -> BothSides.simulated(redis, command));
                        try {
                            takeAway(redis);
                            use(redis, key, fair, now);
                        } catch (RuntimeException | AssertionError e) {
                            problems.add("as " + key.kind() + (fair ? " fairly" : "") + " over " + what + ": " + e);
                        }
                    }
                }
            });
        }
        assertThat(problems).isEmpty();
    }

    /** The token of a lock of Redisson is a text under a key of its own, which Redisson counts up to 2^63 - 1. */
    @Test
    void noTextInPlaceOfARedissonTokenSpoilsAnAnswer(EmbeddedRedis redis) {
        List<String> problems = new ArrayList<>();
        RedissonKey key = RedissonKey.of(KEY.key(), true);
        AcquisitionId id = new AcquisitionId("u1");
        AcquireHold acquire = acquire(key, id, OwnerKey.anonymous(id), Waiter.NONE);
        List<StoreRequest<?>> requests =
                List.of(acquire, acquire, new InspectLock(key, 1), new ForceRelease(key, 7, EVER, 1));
        List<List<String>> texts = new ArrayList<>();
        texts.add(List.of("RPUSH", key.tokenKey(), "x"));
        for (String text : HostileHashes.values()) {
            texts.add(List.of("SET", key.tokenKey(), text));
        }
        try (Wire wire = new Wire(redis)) {
            for (List<String> text : texts) {
                wire.command(List.of("DEL", key.key(), key.tokenKey()));
                wire.command(text);
                for (StoreRequest<?> request : requests) {
                    ScriptCall call = scripts.call(request);
                    Map<?, ?> before = content(wire::command, key.key());
                    Object reply = BothSides.plain(
                            wire.commands(List.of(command("EVAL", call.script().body(), call)))
                                    .get(0));
                    check(text.get(2), call, reply, problems);
                    checkRead(text.get(2), request, call, reply, problems);
                    if (isError(reply) && !content(wire::command, key.key()).equals(before)) {
                        problems.add(named(text.get(2), call) + reply + ", and has changed the key");
                    }
                }
            }
            for (long last : List.of((1L << 53) + 2, Long.MAX_VALUE - 1)) {
                wire.command(List.of("DEL", key.key()));
                wire.command(List.of("SET", key.tokenKey(), Long.toString(last)));
                for (int repeat = 0; repeat < 2; repeat++) {
                    Object reply = BothSides.plain(wire.command(
                            command("EVAL", scripts.call(acquire).script().body(), scripts.call(acquire))));
                    assertThat(scripts.read(acquire, strings(reply)).token()).isEqualTo(last + 1);
                }
            }
        }
        assertThat(problems).isEmpty();
    }

    private void takeAway(SimulatedRedis redis) {
        ForceRelease.Answer answer;
        String cursor = ForceRelease.FIRST;
        do {
            answer = send(redis, new ForceRelease(KEY, 0, EVER, cursor, 1));
            cursor = answer.detail();
        } while (answer.code() == ForceRelease.Code.MORE);
        assertThat(answer.code()).isIn(ForceRelease.Code.FREED, ForceRelease.Code.FREE);
    }

    private void use(SimulatedRedis redis, LockKey key, boolean fair, AtomicLong now) {
        for (String id : List.of("u1", "u2")) {
            AcquisitionId by = new AcquisitionId(id);
            AcquireHold.Code code = waitFor(redis, key, by, fair, now);
            if (code == AcquireHold.Code.EXHAUSTED || code == AcquireHold.Code.PERMITS) {
                // A number that could have been written by a client: the highest token, or another number of permits.
                return;
            }
            assertThat(send(redis, new ReleaseHold(KEY, by, LEASE, false, ServerTime.NONE, 1))
                            .code())
                    .isEqualTo(ReleaseHold.Code.RELEASED);
        }
    }

    /** Waits as a client does that polls every second, for as long as waiters that never come may keep it from the lock. */
    private AcquireHold.Code waitFor(
            SimulatedRedis redis, LockKey key, AcquisitionId id, boolean fair, AtomicLong now) {
        AcquireHold.Code code = AcquireHold.Code.UNDECIDED;
        if (key.equals(KEY) && !fair) {
            code = send(redis, new AcquireFreeLock(KEY, id, LEASE, EVER, FLOOR, holder(), 1))
                    .code();
        }
        long position = 0;
        for (int polls = 0;
                polls < MOST_POLLS && (code == AcquireHold.Code.UNDECIDED || code == AcquireHold.Code.BUSY);
                polls++) {
            now.addAndGet(Bench.SECOND);
            Waiter waiter = new Waiter("leasehold:w:u", position, 1, fair);
            AcquireHold.Answer answer = send(redis, acquire(key, id, OwnerKey.anonymous(id), waiter));
            position = answer.position();
            code = answer.code();
        }
        assertThat(code).isIn(AcquireHold.Code.GRANTED, AcquireHold.Code.EXHAUSTED, AcquireHold.Code.PERMITS);
        return code;
    }

    private <A> A send(SimulatedRedis redis, StoreRequest<A> request) {
        return scripts.read(request, redis.eval(scripts.call(request)));
    }

    /** Runs a script. Where other work keeps the server waiting, what counts is how long it used a processor. */
    private static Object run(Wire wire, String what, ScriptCall call, List<String> problems) {
        List<Object> replies = List.of();
        boolean slow = true;
        for (int times = 0; times < TIMES && slow; times++) {
            List<List<String>> commands = new ArrayList<>();
            // A hash without fields is no key, and is not copied.
            wire.command(List.of("DEL", KEY.key()));
            commands.add(List.of("COPY", TEMPLATE, KEY.key(), "REPLACE"));
            commands.add(List.of("SLOWLOG", "RESET"));
            commands.add(List.of("INFO", "cpu"));
            commands.add(List.of("INFO", "stats"));
            commands.add(command("EVAL", call.script().body(), call));
            commands.add(List.of("INFO", "stats"));
            commands.add(List.of("INFO", "cpu"));
            commands.add(List.of("SLOWLOG", "LEN"));
            replies = wire.commands(commands);
            slow = !replies.get(7).equals(0L) && usedMicros(replies.get(6)) - usedMicros(replies.get(2)) > SLOW_MICROS;
        }
        String of = named(what, call);
        if (slow) {
            problems.add(of + "slower than " + SLOW_MICROS + " us, " + TIMES + " times");
        }
        long ran = processed(replies.get(5)) - processed(replies.get(3)) - 2;
        if (ran > MOST_COMMANDS) {
            problems.add(of + ran + " commands");
        }
        return BothSides.plain(replies.get(4));
    }

    private static long usedMicros(Object info) {
        return USED.matcher(info.toString())
                .results()
                .mapToLong(part -> (long) (Double.parseDouble(part.group(1)) * 1_000_000))
                .sum();
    }

    private static long processed(Object info) {
        Matcher number = PROCESSED.matcher(info.toString());
        assertThat(number.find()).isTrue();
        return Long.parseLong(number.group(1));
    }

    private static void check(String what, ScriptCall call, Object reply, List<String> problems) {
        String of = named(what, call);
        String text = String.valueOf(reply);
        int bytes = text.getBytes(StandardCharsets.UTF_8).length;
        int most = call.script().name().contains("inspect") ? MOST_BYTES_OF_AN_INSPECTION : MOST_BYTES;
        if (bytes > most) {
            problems.add(of + bytes + " bytes");
        }
        if (text.contains("too long")) {
            problems.add(of + text);
        }
    }

    private static String named(String what, ScriptCall call) {
        return call.script().name() + " " + call.args() + " over " + what + ": ";
    }

    /** Returns whether the caller is told that nothing was done, because what is stored cannot be read. */
    private static boolean isError(Object reply) {
        return reply instanceof List<?> words
                ? words.size() > 2 && words.get(2).equals("failed")
                : String.valueOf(reply).startsWith("error: ")
                        || String.valueOf(reply).endsWith(" undecided undecided");
    }

    /** A reply that the client cannot read is an error, too, and spoils what the same call says of other locks. */
    private void checkRead(String what, StoreRequest<?> request, ScriptCall call, Object reply, List<String> problems) {
        if (reply instanceof String error && error.startsWith("error: ")) {
            return;
        }
        try {
            scripts.read(request, strings(reply));
        } catch (RuntimeException e) {
            problems.add(named(what, call) + "the client cannot read " + reply + ": " + e);
        }
    }

    private static List<String> strings(Object reply) {
        return reply instanceof List<?> words
                ? words.stream().map(String.class::cast).toList()
                : List.of((String) reply);
    }

    /** Returns the fields under a key, or the string. */
    private static Map<?, ?> content(Function<List<String>, Object> server, String key) {
        return server.apply(List.of("TYPE", key)).equals("string")
                ? Map.of(HostileHashes.STRING, server.apply(List.of("GET", key)))
                : (Map<?, ?>) BothSides.fields(server.apply(List.of("HGETALL", key)));
    }

    private static List<List<String>> write(String key, Map<String, String> fields) {
        List<List<String>> commands = new ArrayList<>();
        commands.add(List.of("DEL", key));
        if (fields.containsKey(HostileHashes.STRING)) {
            commands.add(List.of("SET", key, fields.get(HostileHashes.STRING)));
            return commands;
        }
        List<String> hset = new ArrayList<>(List.of("HSET", key));
        fields.forEach((field, value) -> hset.addAll(List.of(field, value)));
        commands.add(hset);
        return commands;
    }

    private static List<String> command(String name, String script, ScriptCall call) {
        List<String> command = new ArrayList<>(
                List.of(name, script, Integer.toString(call.keys().size())));
        command.addAll(call.keys());
        command.addAll(call.args());
        return command;
    }
}
