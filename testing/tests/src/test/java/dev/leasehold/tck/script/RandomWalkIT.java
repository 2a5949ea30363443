package dev.leasehold.tck.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.Holder;
import dev.leasehold.internal.key.OwnerKey;
import dev.leasehold.internal.script.ScriptBindings;
import dev.leasehold.internal.script.TokenMemory;
import dev.leasehold.internal.store.AcquireHold;
import dev.leasehold.internal.store.ForceRelease;
import dev.leasehold.internal.store.LeaseSpan;
import dev.leasehold.internal.store.ReleaseHold;
import dev.leasehold.internal.store.RenewHold;
import dev.leasehold.internal.store.ServerTime;
import dev.leasehold.internal.store.TokenFloor;
import dev.leasehold.internal.store.Waiter;
import dev.leasehold.spi.ScriptCall;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.WithRedis;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.BiFunction;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * All scripts in any order, from a seed, against one key; after each step reply and key are compared with
 * {@link LockModel}. Redis TIME comes from the reply, so the comparison is exact to the microsecond.
 */
@WithRedis
class RandomWalkIT {

    private static final int STEPS = DifferentialIT.NIGHTLY ? 12_000 : 6_000;
    /** Reads TIME last: whatever had expired when it was read has expired by then. */
    private static final String READ = "local expiry = redis.call('PEXPIRETIME', KEYS[1]) "
            + "local all = redis.call('HGETALL', KEYS[1]) "
            + "local t = redis.call('TIME') return {t[1], t[2], expiry, all}";
    /** Changes the key unless it has expired meanwhile. */
    private static final String DISTURB =
            "if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end redis.call('HSET', KEYS[1], ARGV[1], ARGV[2]) "
                    + "if ARGV[1] ~= 'last' then redis.call('HDEL', KEYS[1], 'rs') end "
                    + "redis.call('PEXPIREAT', KEYS[1], ARGV[3]) return redis.call('EXISTS', KEYS[1])";

    private static final List<String> IDS = List.of("a", "b", "c", "d", "e");
    private static final List<String> OWNERS = List.of("", "", "job", "task");
    private static final long[] LEASES = {300, 2000, 15_000, 10 * Bench.SECOND};
    private static final long[] MEMORIES = {1, 4, 20};
    private static final List<String> CODES = List.of(
            "acquire granted",
            "acquire_named granted",
            "acquire_named busy",
            "acquire busy",
            "acquire stale",
            "acquire ended",
            "acquire clock",
            "renew renewed",
            "renew ended",
            "renew gone",
            "release released",
            "release ended",
            "release gone",
            "force_release freed",
            "force_release free");

    private final EmbeddedRedis redis;
    private final Map<String, Integer> seen = new TreeMap<>();
    private LockModel model = new LockModel();
    private LockModel other;
    private long highest;
    private long time;

    RandomWalkIT(EmbeddedRedis redis) {
        this.redis = redis;
    }

    @ParameterizedTest
    @ValueSource(longs = {20_261_121, 42})
    void everyStepIsAsTheModelSays(long seed) {
        Random random = new Random(seed);
        try (Bench lock = new Bench(redis, Duration.ofMillis(5))) {
            time = lock.time();
            for (int step = 0; step < STEPS; step++) {
                String what = "seed " + seed + ", step " + step;
                if (random.nextInt(12) == 0) {
                    disturb(lock, random);
                } else {
                    step(lock, random, what);
                }
                read(lock, what);
            }
            // Whatever was in progress: no token and no tombstone is more than 5 ms ahead, no token memory was above
            // 20 ms.
            lock.force();
            lock.past(lock.time() + 60 * Bench.MILLI);
            assertThat(lock.expiry()).as("gone after the token memory").isEqualTo(-2);
        }
        assertThat(seen.keySet()).as("what was judged: " + seen).containsAll(CODES);
    }

    /**
     * Runs one script. The key may have expired just before it, which the time in the reply does not show to the
     * ms. The model then tries both, and if both fit, the hash under the key decides.
     */
    private void step(Bench lock, Random random, String what) {
        Op op = op(lock, random);
        List<String> reply;
        try {
            reply = lock.run(op.call);
        } catch (Wire.ErrorReply e) {
            assertThat(e).as(what).hasMessageContaining("the key expired while this script ran");
            model = model.gone();
            return;
        }
        long now = Long.parseLong(reply.get(1));
        assertThat(now).as(what).isGreaterThanOrEqualTo(time);
        LockModel alive = model.copy();
        List<String> ifAlive = op.expected.apply(alive, now);
        LockModel gone = model.gone();
        List<String> ifGone = op.expected.apply(gone, now);
        boolean mayBeGone = model.exists() && now / 1000 >= model.expiry() && reply.equals(ifGone);
        if (!mayBeGone) {
            assertThat(reply).as(what + ": " + op.call).isEqualTo(ifAlive);
        }
        model = mayBeGone ? gone : alive;
        other = mayBeGone && reply.equals(ifAlive) ? alive : null;
        time = now;
        String name = op.call.script().name();
        seen.merge(name + " " + reply.get(0), 1, Integer::sum);
        if (name.startsWith("acquire") && reply.get(0).equals("granted")) {
            highest = Math.max(highest, Long.parseLong(reply.get(3)));
        }
    }

    private record Op(ScriptCall call, BiFunction<LockModel, Long, List<String>> expected) {}

    private Op op(Bench lock, Random random) {
        String id = IDS.get(random.nextInt(IDS.size()));
        long memory = MEMORIES[random.nextInt(MEMORIES.length)];
        ScriptBindings scripts = new ScriptBindings(new TokenMemory(Duration.ofMillis(memory)), true);
        long lease = LEASES[random.nextInt(LEASES.length)];
        long until = time + random.nextLong(-2000, 5000);
        switch (random.nextInt(11)) {
            case 0, 1, 2:
                LeaseSpan span = new LeaseSpan((random.nextInt(4) == 0 ? 0 : lease) * 1000);
                return new Op(
                        scripts.call(new RenewHold(lock.key, new AcquisitionId(id), span, 1)),
                        (state, now) -> state.renew(now, id, span.nanos() / 1000, memory));
            case 3, 4, 5:
                long notAfter = random.nextInt(3) == 0 ? until : 0;
                return new Op(
                        scripts.call(new ReleaseHold(
                                lock.key,
                                new AcquisitionId(id),
                                // So the script reports its time.
                                new LeaseSpan(Bench.HOUR * 1000),
                                false,
                                new ServerTime(notAfter),
                                1)),
                        (state, now) -> state.release(now, id, notAfter, memory));
            case 6:
                return new Op(
                        scripts.call(new ForceRelease(lock.key, 0, Bench.EVER, 1)),
                        (state, now) -> state.force(now, memory));
            default:
                long stale = random.nextInt(8) == 0 ? until : time + Bench.HOUR;
                long floor = random.nextInt(20) == 0 ? time + 9 * Bench.SECOND : highest;
                String name = OWNERS.get(random.nextInt(OWNERS.size()));
                AcquisitionId acquisition = new AcquisitionId(id);
                OwnerKey owner = name.isEmpty() ? OwnerKey.anonymous(acquisition) : OwnerKey.named(name);
                return new Op(
                        scripts.call(new AcquireHold(
                                lock.key,
                                acquisition,
                                owner,
                                new LeaseSpan(lease * 1000),
                                new ServerTime(stale),
                                new TokenFloor(floor),
                                new Holder("1@h", "t", random.nextBoolean() ? "l" : ""),
                                Waiter.NONE,
                                1)),
                        (state, now) -> state.acquire(now, id, owner.field(), lease, stale, floor, memory));
        }
    }

    /** Steps the clock back behind a hold or behind the last token, or loses the data. */
    private void disturb(Bench lock, Random random) {
        if (random.nextInt(6) == 0) {
            lock.command("DEL", lock.key.key());
            model = model.gone();
            return;
        }
        if (!model.exists()) {
            return;
        }
        LockModel disturbed = model.copy();
        List<String> ids = model.ids();
        String field = "last";
        if (!ids.isEmpty() && random.nextInt(3) > 0) {
            String id = ids.get(random.nextInt(ids.size()));
            disturbed.writtenAhead(id, Bench.HOUR, 1);
            field = "h:" + id;
        } else {
            disturbed.lastAhead(time + random.nextLong(5000), 1);
        }
        Object done = lock.command(
                "EVAL",
                DISTURB,
                "1",
                lock.key.key(),
                field,
                disturbed.fields().get(field),
                Long.toString(disturbed.expiry()));
        model = done.equals(1L) ? disturbed : model.gone();
    }

    @SuppressWarnings("unchecked")
    private void read(Bench lock, String what) {
        List<Object> seenNow = (List<Object>) lock.command("EVAL", READ, "1", lock.key.key());
        long now = Long.parseLong((String) seenNow.get(0)) * Bench.SECOND + Long.parseLong((String) seenNow.get(1));
        long expiry = (Long) seenNow.get(2);
        List<String> all = (List<String>) seenNow.get(3);
        // Also at exactly that millisecond: an expiry that is set when it is due deletes the key immediately.
        if (all.isEmpty() && model.exists() && now / 1000 >= model.expiry()) {
            model = model.gone();
            return;
        }
        Map<String, String> fields = new TreeMap<>();
        for (int i = 0; i < all.size(); i += 2) {
            if (!all.get(i).matches("[itl]:.*")) {
                fields.put(all.get(i), all.get(i + 1));
            } else {
                assertThat(all)
                        .as(what + ": a hold to every word about it")
                        .contains("h:" + all.get(i).substring(2));
            }
        }
        if (other != null && !fields.equals(model.fields())) {
            model = other;
        }
        other = null;
        assertThat(fields).as(what).isEqualTo(model.fields());
        assertThat(expiry).as(what + ": expiry").isEqualTo(model.exists() ? model.expiry() : -2);
    }
}
