package dev.leasehold.tck.script;

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
import dev.leasehold.internal.script.ForeignScripts;
import dev.leasehold.internal.script.QuorumRequest;
import dev.leasehold.internal.script.RenewManyScript;
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
import dev.leasehold.internal.store.TokenFloor;
import dev.leasehold.internal.store.Waiter;
import dev.leasehold.spi.Script;
import dev.leasehold.spi.ScriptCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Calls of all scripts with arguments of all sizes, and other events that change a key. */
final class RandomCalls {

    /** The scripts for requests that depend on no token memory. */
    private static final ScriptBindings ANY = scripts(new TokenMemory(Duration.ofMillis(1)));

    private static final KeyPrefix PREFIX = new KeyPrefix("leasehold");
    private static final List<String> IDS = List.of("a", "b", "c", "d", "e");
    private static final List<String> OWNERS = List.of("", "", "job", "töpfer 🏺");
    private static final List<String> LABELS = List.of("", "nightly", "ünïcode 😀 \u0000 zero");
    private static final List<String> LATCHES = List.of("leasehold:{l0}", "leasehold:{l1}", "leasehold:{l2}");
    private static final String QUEUE = LockKey.of(PREFIX, "q0").key();
    private static final List<String> CHANNELS = List.of("w:1", "w:2", "w:3");
    private static final long[] LEASES = {0, 1, 2000, 15_000, 10_000_000, 3_000_000_000L, 200_000_000_000_000L};
    private static final long[] MEMORIES = {1, 4, 20, 60_000, 3_000_000_000L};
    private static final long LIMIT = 1L << 53;
    private static final String MARKER = QuorumRequest.marker(PREFIX);
    private static final long LONGEST = 10_000_000;

    /** A value that no script can read. */
    private static final String NO_HOLD = "no hold";

    private final Random random;

    /** The number of the next calls for the lock with the queue. */
    private int more;

    RandomCalls(Random random) {
        this.random = random;
    }

    private LockKey lock(String key) {
        return new LockKey(key);
    }

    /**
     * Returns mostly one key, sometimes several distinct ones; those of plain locks and latches mostly differ. The
     * marker of a quorum is chosen with its lock.
     */
    List<String> keys() {
        if (more > 0 || random.nextInt(200) == 0) {
            // Many in a row: at a step of the clock all positions lapse.
            more = more > 0 ? more - 1 : 15;
            return List.of(QUEUE);
        }
        if (random.nextInt(8) == 0) {
            return List.of(LockKey.of(PREFIX, "k" + random.nextInt(12)).key(), MARKER);
        }
        if (random.nextInt(12) == 0) {
            return List.of(LATCHES.get(random.nextInt(LATCHES.size())));
        }
        int count = random.nextInt(6) > 0 ? 1 : 2 + random.nextInt(5);
        if (random.nextInt(7) == 0) {
            return Stream.of("p0", "p1", "p2").limit(count).toList();
        }
        if (random.nextInt(7) == 0) {
            return count == 1
                    ? withToken("r" + random.nextInt(3))
                    : Stream.of("r0", "r1", "r2").limit(count).toList();
        }
        return IntStream.generate(() -> random.nextInt(12))
                .distinct()
                .limit(count)
                .mapToObj(n -> LockKey.of(PREFIX, "k" + n).key())
                .toList();
    }

    /** Returns the key of a fenced lock of Redisson, with that of its token. */
    private static List<String> withToken(String name) {
        return List.of(name, RedissonKey.of(name, true).tokenKey());
    }

    ScriptCall next(List<String> keys, long time, Map<String, String> fields, String text) {
        if (keys.contains(MARKER)) {
            return quorum(keys.get(0), time, fields);
        }
        if (random.nextInt(60) == 0 || (LATCHES.contains(keys.get(0)) && random.nextInt(20) > 0)) {
            return latch(keys.get(0), time, fields);
        }
        if (random.nextInt(20) == 0 || (keys.get(0).startsWith("p") && random.nextInt(20) > 0)) {
            return foreign(keys, PlainKey::of, time, text);
        }
        boolean fenced = keys.size() == 2 && keys.equals(withToken(keys.get(0)));
        List<String> locks = fenced ? keys.subList(0, 1) : keys;
        if (keys.get(0).startsWith("r") && random.nextInt(20) > 0) {
            String holder = fields.size() == 1 ? fields.keySet().iterator().next() : "";
            return foreign(locks, key -> RedissonKey.of(key, fenced), time, holder);
        }
        if (QUEUE.equals(locks.get(0)) && random.nextInt(20) > 0) {
            return queued(lock(locks.get(0)), time, fields);
        }
        if (locks.size() == 1) {
            return ofOne(locks.get(0), time, fields);
        }
        if (fields.containsValue(NO_HOLD) && random.nextInt(4) == 0) {
            return acquireMany(locks, time);
        }
        return switch (random.nextInt(22)) {
            case 0, 1, 2, 3, 4, 5 -> renewMany(locks);
            case 6, 7, 8, 9, 10, 11 -> lookMany(locks, fields);
            case 12, 13, 14 -> combined(locks, time, fields);
            case 15 ->
                ANY.call(new InspectLock.Many(locks.stream().map(this::lock).toList(), 1));
            default -> acquireMany(locks, time);
        };
    }

    /**
     * Returns a call for a lock that is held mostly, so that there are queues with waiters that are neither first
     * nor next.
     */
    private ScriptCall queued(LockKey lock, long time, Map<String, String> fields) {
        LeaseSpan lease = new LeaseSpan(3_600_000_000_000L);
        TokenMemory kept = memory();
        return switch (random.nextInt(20)) {
            case 0 -> scripts(kept).call(new ReleaseHold(lock, held(fields), lease, true, ServerTime.NONE, 1));
            case 1 -> ANY.call(new LeaveQueue(lock, waiter(fields), null, 1));
            case 2, 3, 4, 5, 6, 7, 8 -> acquire(lock, id(), lease, kept, time, newcomer());
            default ->
                scripts(kept).call(new SendHeartbeats(List.of(new SendHeartbeats.Entry(lock, waiter(fields))), 1));
        };
    }

    private ScriptCall quorum(String key, long time, Map<String, String> fields) {
        LeaseSpan longest = new LeaseSpan((random.nextInt(12) == 0 ? 2 * LONGEST : LONGEST) * 1000);
        return switch (random.nextInt(8)) {
            case 0 -> ANY.call(new QuorumRequest.Join(MARKER, longest, 1));
            case 1 -> {
                long token = time + random.nextLong(-2_000_000, 4_000_000);
                yield scripts(memory()).call(new QuorumRequest.Raise(lock(key), token, 1));
            }
            default -> {
                ScriptBindings scripts = scripts(memory());
                AcquireHold alone = exclusive(lock(key), time, "");
                AcquisitionId id = random.nextInt(4) == 0 ? held(fields) : alone.id();
                yield scripts.call(new QuorumRequest.Acquire(
                        alone.key(),
                        id,
                        alone.lease(),
                        alone.notAfter(),
                        alone.floor(),
                        alone.holder(),
                        MARKER,
                        longest,
                        1));
            }
        };
    }

    private ScriptCall latch(String key, long time, Map<String, String> fields) {
        LatchKey latch = new LatchKey(lock(key));
        // One key mostly has rounds, which are near each other; the others mostly have none.
        boolean odd = random.nextInt(10) == 0;
        if (odd != key.equals(LATCHES.get(0))) {
            latch = latch.round(random.nextInt(20) == 0 ? LIMIT - random.nextInt(2) : random.nextInt(4));
        }
        CountDownId id = random.nextBoolean() ? CountDownId.of(id()) : CountDownId.named(OWNERS.get(3) + id());
        ServerTime notAfter = inTime(time);
        return switch (random.nextInt(6)) {
            case 0 -> ANY.call(new SetLatch(latch, id, 1 + random.nextInt(4), expiry(), notAfter, 1));
            case 1, 2 -> ANY.call(new CountDown(latch, id, notAfter, 1));
            case 3 -> ANY.call(new ReadLatch(LatchKey.any(lock(key)), Waiter.NONE, 1));
            default -> ANY.call(new ReadLatch(latch, latchWaiter(fields), 1));
        };
    }

    private static ScriptBindings scripts(TokenMemory kept) {
        return new ScriptBindings(kept, true);
    }

    /** Returns mostly a waiter that has a position, sometimes another client's, or an unknown one. */
    private Waiter latchWaiter(Map<String, String> fields) {
        String channel = CHANNELS.get(random.nextInt(CHANNELS.size())) + (random.nextInt(4) == 0 ? "{k}" : "");
        int position = random.nextInt(3) == 0 ? 0 : 1 + random.nextInt(4);
        boolean own = random.nextBoolean() && fields.containsKey("w:" + position);
        return random.nextInt(4) == 0 ? Waiter.NONE : new Waiter(own ? fields.get("w:" + position) : channel, position);
    }

    private ScriptCall foreign(List<String> keys, Function<String, LockKey> kind, long time, String text) {
        LeaseSpan lease = lease();
        AcquisitionId id = random.nextInt(4) > 0 && text.contains(" ")
                ? new AcquisitionId(text.substring(0, text.indexOf(' ')))
                : id();
        LockKey lock = kind.apply(keys.get(0));
        ForeignScripts scripts = lock instanceof RedissonKey ? ForeignScripts.REDISSON : ForeignScripts.PLAIN;
        return switch (keys.size() > 1 ? 0 : random.nextInt(13)) {
            case 0, 1, 2 ->
                callOfMany(
                        scripts.renewMany(),
                        keys.stream()
                                .map(key -> new RenewHolds.Entry(kind.apply(key), id))
                                .toList(),
                        Long.toString(lease.nanos() / 1000));
            case 3, 4 -> ANY.call(new RenewHold(lock, id, lease, 1));
            case 5, 6 -> ANY.call(new ReleaseHold(lock, id, lease, false, ServerTime.NONE, 1));
            case 7 ->
                ANY.call(new ForceRelease(lock, lock.kind().hasTokens() ? random.nextInt(2) : 0, inTime(time), 1));
            case 8 -> ANY.call(new InspectLock(lock, 1));
            default -> foreignAcquire(lock, id, lease, time);
        };
    }

    private ScriptCall foreignAcquire(LockKey lock, AcquisitionId id, LeaseSpan lease, long time) {
        return ANY.call(new AcquireHold(
                lock,
                id,
                OwnerKey.anonymous(id),
                lease,
                inTime(time),
                new TokenFloor(0),
                new Holder("17@host", "main", LABELS.get(random.nextInt(LABELS.size()))),
                Waiter.NONE,
                1));
    }

    private ScriptCall acquireMany(List<String> keys, long time) {
        TokenMemory kept = memory();
        String owner = OWNERS.get(random.nextInt(OWNERS.size()));
        List<AcquireHold> each =
                keys.stream().map(key -> exclusive(lock(key), time, owner)).toList();
        return scripts(kept).call(new AcquireHolds(random.nextInt(3) == 0, each, 1));
    }

    /** Returns a call that acquires some of the locks, and releases the others: mostly the first, whose hold is known. */
    private ScriptCall combined(List<String> keys, long time, Map<String, String> fields) {
        int releases = random.nextInt(3) == 0 ? 0 : 1 + random.nextInt(keys.size());
        List<AcquireFreeLock> acquisitions = keys.stream()
                .skip(releases)
                .map(key -> acquireFree(lock(key), id(), lease(), time, floor(time)))
                .toList();
        List<ReleaseHold> released = keys.stream()
                .limit(releases)
                .map(key -> new ReleaseHold(
                        lock(key), key.equals(keys.get(0)) ? held(fields) : id(), lease(), true, ServerTime.NONE, 1))
                .toList();
        return scripts(memory()).call(new CombinedScript.Request(acquisitions, released, 1));
    }

    private ScriptCall lookMany(List<String> keys, Map<String, String> fields) {
        return scripts(memory())
                .call(new SendHeartbeats(
                        keys.stream()
                                .map(key -> new SendHeartbeats.Entry(lock(key), waiter(fields)))
                                .toList(),
                        1));
    }

    private ScriptCall renewMany(List<String> keys) {
        return renewMany(keys.stream().map(key -> new RenewHolds.Entry(lock(key), id())));
    }

    private ScriptCall renewMany(Stream<RenewHolds.Entry> entries) {
        TokenMemory kept = memory();
        if (random.nextInt(3) == 0) {
            return callOfMany(
                    RenewManyScript.CONFIRM,
                    entries.toList(),
                    Long.toString(kept.time().toMillis()));
        }
        LeaseSpan lease = lease();
        return callOfMany(
                RenewManyScript.SCRIPT,
                entries.toList(),
                Long.toString(lease.nanos() / 1000),
                Long.toString(kept.time().toMillis()));
    }

    /** Returns a call that renews several holds, also if there is only one, for which the bindings choose another script. */
    private static ScriptCall callOfMany(Script script, List<RenewHolds.Entry> entries, String... first) {
        List<String> args = new ArrayList<>(List.of(first));
        entries.forEach(entry -> args.add(entry.id().value()));
        return new ScriptCall(
                script, entries.stream().map(entry -> entry.key().key()).toList(), args, 1);
    }

    /** Returns the id of an existing hold, if there is one. */
    private AcquisitionId held(Map<String, String> fields) {
        return fields.keySet().stream()
                .filter(field -> field.startsWith("h:"))
                .map(field -> new AcquisitionId(field.substring(2)))
                .findFirst()
                .orElseGet(this::id);
    }

    private TokenMemory memory() {
        return new TokenMemory(Duration.ofMillis(MEMORIES[random.nextInt(MEMORIES.length)]));
    }

    private LeaseSpan lease() {
        return new LeaseSpan(LEASES[random.nextInt(LEASES.length)] * 1000);
    }

    /**
     * Returns the expiry of a latch: never none, or its key would expire at the very moment of a write, which only
     * the simulation sees.
     */
    private LeaseSpan expiry() {
        return new LeaseSpan(Math.max(1000, lease().nanos()));
    }

    private AcquisitionId id() {
        return new AcquisitionId(IDS.get(random.nextInt(IDS.size())));
    }

    private ScriptCall ofOne(String key, long time, Map<String, String> fields) {
        TokenMemory kept = memory();
        LeaseSpan lease = lease();
        AcquisitionId id = id();
        LockKey lock = lock(key);
        if (fields.containsKey("rq") && fields.get("rq").equals(fields.get("last")) && random.nextBoolean()) {
            return random.nextBoolean()
                    ? scripts(kept).call(new RenewHold(lock, held(fields), lease, 1))
                    : renewMany(Stream.of(new RenewHolds.Entry(lock, held(fields))));
        }
        if (fields.containsKey("wn") && fields.containsValue(NO_HOLD) && random.nextBoolean()) {
            return lookMany(List.of(key), fields);
        }
        if (fields.getOrDefault("own", "").startsWith("n:") && random.nextBoolean()) {
            return resume(lock, id, lease, kept, time, fields);
        }
        if (fields.containsKey("wn") && random.nextInt(10) == 0) {
            return new ScriptBindings(kept, random.nextBoolean()).call(new LeaveQueue(lock, waiter(fields), null, 1));
        }
        boolean lastTokens = lastToken(fields) >= LIMIT - 3;
        return switch (lastTokens && random.nextBoolean() ? 22 + random.nextInt(3) : random.nextInt(44)) {
            case 0, 1 -> scripts(kept).call(new RenewHold(lock, id, lease, 1));
            case 2 -> renewMany(Stream.of(new RenewHolds.Entry(lock, held(fields))));
            case 3, 4, 5, 6 ->
                scripts(kept)
                        .call(new ReleaseHold(
                                lock,
                                random.nextBoolean() ? id : held(fields),
                                lease,
                                random.nextBoolean(),
                                notAfter(time),
                                random.nextInt(3) == 0 ? retained(fields) : null,
                                1));
            case 7 -> {
                long seen = random.nextBoolean() ? 0 : Math.max(0, lastToken(fields) - random.nextInt(3));
                yield scripts(kept).call(new ForceRelease(lock, seen, inTime(time), 1));
            }
            case 8 -> ANY.call(new InspectLock(lock, 1));
            case 18, 19, 20, 21 ->
                scripts(kept)
                        .call(new ContinueHandOff(
                                lock,
                                random.nextInt(4) == 0 ? id : held(fields),
                                lease,
                                waiter(fields).position(),
                                tokens(),
                                1));
            case 22, 23 -> scripts(kept).call(downgrade(lock, id, fields));
            case 24, 25, 26 -> resume(lock, id, lease, kept, time, fields);
            case 27 -> scripts(kept).call(new RequestRelease(lock, inTime(time), 1));
            case 28 -> scripts(kept).call(new ChangePermits(lock, permits(), inTime(time), 1));
            case 29, 30, 31, 32, 33 -> scripts(kept).call(retain(lock, id, fields));
            case 34, 35 -> combined(List.of(key), time, fields);
            case 9 ->
                new ScriptBindings(kept, random.nextBoolean()).call(new LeaveQueue(lock, waiter(fields), null, 1));
            default -> acquire(lock, id, lease, kept, time, random.nextInt(3) == 0 ? none() : waiter(fields));
        };
    }

    /** Returns a downgrade, mostly of an existing hold, of which half have readers with one of its tokens. */
    private DowngradeHold downgrade(LockKey lock, AcquisitionId id, Map<String, String> fields) {
        long last = lastToken(fields);
        long given = random.nextBoolean() ? 0 : Math.max(last - random.nextInt(3), 0);
        TokenFloor floor = new TokenFloor(last + random.nextInt(3) - 1);
        return new DowngradeHold(lock, random.nextInt(4) == 0 ? id : held(fields), floor, given, 1);
    }

    /** Returns the tokens of a retained hold, whose client mostly knows the last. */
    private ReleaseHold.Tokens retained(Map<String, String> fields) {
        long last = lastToken(fields);
        return new ReleaseHold.Tokens(last - random.nextInt(3), random.nextInt(4) == 0 ? last - 1 : last);
    }

    private static long lastToken(Map<String, String> fields) {
        return Long.parseLong(fields.getOrDefault("last", "0"));
    }

    /** Returns a request to retain a hold, mostly an existing one with its last token, sometimes one that is retained already. */
    private ContinueHandOff.Retain retain(LockKey lock, AcquisitionId id, Map<String, String> fields) {
        long last = lastToken(fields);
        return new ContinueHandOff.Retain(
                lock,
                random.nextInt(4) == 0 ? id : held(fields),
                new LeaseSpan((1 + random.nextLong(1_000_000)) * 1000),
                random.nextInt(8) == 0 ? last + 1 - random.nextInt(3) : last,
                CHANNELS.get(random.nextInt(CHANNELS.size())),
                random.nextInt(3) == 0,
                1);
    }

    /** Returns a resume, mostly of an existing hold, with its owner. */
    private ScriptCall resume(
            LockKey lock, AcquisitionId id, LeaseSpan lease, TokenMemory kept, long time, Map<String, String> fields) {
        AcquisitionId former = random.nextInt(4) == 0 ? id() : held(fields);
        String own = fields.getOrDefault("own", "");
        OwnerKey owner = own.startsWith("n:")
                ? OwnerKey.named(own.substring(2))
                : own.equals(OwnerKey.READERS) ? OwnerKey.read(own) : OwnerKey.anonymous(id);
        return scripts(kept)
                .call(new ResumeHold(
                        lock,
                        id,
                        new ResumeHold.Former(former, notAfter(time)),
                        random.nextInt(10) == 0 ? OwnerKey.named("job") : owner,
                        lease,
                        new ServerTime(random.nextInt(10) == 0 ? time - random.nextLong(1000) : time + 1_000_000),
                        random.nextInt(4) == 0 ? new TokenFloor(time + 3_000_000) : floor(time),
                        new Holder("18@host", "main", LABELS.get(random.nextInt(LABELS.size()))),
                        1));
    }

    private TokenFloor floor(long time) {
        return new TokenFloor(
                switch (random.nextInt(6)) {
                    case 0 -> time + random.nextLong(-3_000_000, 6_000_000);
                    case 1 -> time + random.nextLong(-1000, 1000);
                    default -> 0;
                });
    }

    private int tokens() {
        return random.nextInt(3) == 0 ? 1 + random.nextInt(2_000_000) : 1 + random.nextInt(100);
    }

    /** Returns mostly a time ahead, sometimes one that has passed. */
    private ServerTime inTime(long time) {
        return new ServerTime(random.nextInt(10) == 0 ? time - random.nextLong(1000) : time + 1_000_000);
    }

    /** Returns sometimes none, mostly a time around now. */
    private ServerTime notAfter(long time) {
        return random.nextInt(3) > 0 ? ServerTime.NONE : new ServerTime(time + random.nextLong(-2000, 10_000));
    }

    private ScriptCall acquire(
            LockKey lock, AcquisitionId id, LeaseSpan lease, TokenMemory kept, long time, Waiter waiter) {
        String name = OWNERS.get(random.nextInt(OWNERS.size()));
        OwnerKey owner = name.isEmpty() ? OwnerKey.anonymous(id) : OwnerKey.named(name);
        long late = random.nextInt(10) == 0 ? time - random.nextLong(1000) : time + 1_000_000;
        TokenFloor floor = floor(time);
        Holder holder = new Holder("17@host", "main", LABELS.get(random.nextInt(LABELS.size())));
        if (!waiter.waits() && random.nextInt(5) == 0) {
            return scripts(kept).call(acquireFree(lock, id, lease, time, floor));
        }
        return scripts(kept)
                .call(new AcquireHold(side(lock), id, owner, lease, new ServerTime(late), floor, holder, waiter, 1));
    }

    private AcquireFreeLock acquireFree(LockKey lock, AcquisitionId id, LeaseSpan lease, long time, TokenFloor floor) {
        long late = random.nextInt(10) == 0 ? time - random.nextLong(1000) : time + 1_000_000;
        Holder holder = new Holder("17@host", "main", LABELS.get(random.nextInt(LABELS.size())));
        return new AcquireFreeLock(lock, id, lease, new ServerTime(late), floor, holder, 1);
    }

    /** Returns an acquire of the lock as a whole, in whatever state it is. */
    private AcquireHold exclusive(LockKey lock, long time, String name) {
        AcquisitionId id = id();
        OwnerKey owner = name.isEmpty() ? OwnerKey.anonymous(id) : OwnerKey.named(name);
        long late = random.nextInt(10) == 0 ? time - random.nextLong(1000) : time + 1_000_000;
        Holder holder = new Holder("17@host", "main", LABELS.get(random.nextInt(LABELS.size())));
        return new AcquireHold(lock, id, owner, lease(), new ServerTime(late), floor(time), holder, none(), 1);
    }

    private LockKey side(LockKey lock) {
        int total = permits();
        return switch (random.nextInt(6)) {
            case 0, 1 -> ReadKey.of(lock);
            case 2, 3 -> PermitKey.of(lock, total, 1 + random.nextInt(total));
            default -> lock;
        };
    }

    /** Returns mostly the same number. */
    private int permits() {
        return random.nextInt(6) == 0 ? 1 + random.nextInt(1_000_000) : 4;
    }

    private Waiter none() {
        return random.nextInt(3) == 0 ? new Waiter("", 0, 1, true) : Waiter.NONE;
    }

    private Waiter newcomer() {
        return new Waiter(CHANNELS.get(random.nextInt(CHANNELS.size())), 0, 1, false);
    }

    /** Returns mostly a waiter that has a position, with its channel. */
    private Waiter waiter(Map<String, String> fields) {
        String channel = CHANNELS.get(random.nextInt(CHANNELS.size()));
        boolean fair = random.nextInt(4) == 0;
        List<String> positions = fields.keySet().stream()
                .filter(field -> field.startsWith("q:"))
                .sorted()
                .toList();
        if (positions.isEmpty() || random.nextInt(3) == 0) {
            return new Waiter(channel, random.nextInt(4) == 0 ? random.nextLong(LIMIT) : 0, tokens(), fair);
        }
        String position = positions.get(random.nextInt(positions.size()));
        String value = fields.get(position);
        boolean own = random.nextInt(4) > 0;
        return new Waiter(
                own ? value.substring(value.indexOf(':') + 1).split(" ", 2)[0] : channel,
                Long.parseLong(position.substring(2)),
                tokens(),
                fair);
    }

    /** Returns changes to the marker of a quorum by others, or by a restart. */
    private List<List<String>> ofMarker(long time) {
        return switch (random.nextInt(8)) {
            case 0 -> List.of(List.of("SET", MARKER, "something"));
            case 1 -> List.of(List.of("SET", MARKER, "2 " + time + " " + LONGEST + " run"));
            case 2 -> List.of(List.of("DEL", MARKER), List.of("HSET", MARKER, "some", "thing"));
            case 3 -> List.of(List.of("SET", MARKER, "1 " + (time - LONGEST) + " " + LONGEST + " another"));
            default -> List.of(List.of("DEL", MARKER));
        };
    }

    /** Returns changes to one of these keys by others, or by a clock that stepped back, as commands. */
    List<List<String>> disturbance(List<String> keys, long time, Map<String, String> fields) {
        if (keys.contains(MARKER) && random.nextBoolean()) {
            return ofMarker(time);
        }
        String key = keys.get(0);
        if (QUEUE.equals(key) && random.nextInt(4) > 0) {
            return fields.getOrDefault("v", "").equals("1") ? List.of() : List.of(List.of("DEL", key));
        }
        if (key.startsWith("r") && keys.size() == 2 && keys.equals(withToken(key)) && random.nextInt(3) > 0) {
            return ofRedisson(keys);
        }
        String hold = "h:" + (random.nextInt(3) == 0 ? held(fields).value() : IDS.get(random.nextInt(IDS.size())));
        return switch (random.nextInt(24)) {
            case 0 -> List.of(List.of("SET", key, "something"));
            case 1 -> List.of(List.of("DEL", key), List.of("HSET", key, "some", "thing"));
            case 2 -> List.of(List.of("DEL", key), List.of("HSET", key, "v", "2", hold, "1:1:1"));
            case 3, 11, 21, 22 -> List.of(List.of("HSET", key, "last", Long.toString(LIMIT - random.nextInt(3))));
            case 4 -> List.of(List.of("HSET", key, "last", Long.toString(time + random.nextLong(5_000_000))));
            case 5 -> List.of(List.of("HSET", key, hold, NO_HOLD));
            case 16, 17 -> noHolds(key, fields);
            case 9 -> overtaken(key, fields);
            case 18 -> requested(key, fields);
            case 19, 20, 23 -> twice(key, fields, time);
            case 10 -> fullLatch(key, fields);
            case 12 -> List.of(List.of("HSET", key, "rs", "no sum"));
            case 6, 7, 8 -> ahead(key, hold, fields, time);
            default -> List.of(List.of("DEL", key));
        };
    }

    /** Lets Redisson act: it takes the lock, or counts up the token. */
    private List<List<String>> ofRedisson(List<String> keys) {
        String uuid = "01234567-89ab-cdef-0123-456789abcdef";
        String key = keys.get(0);
        String token = RedissonKey.of(key, true).tokenKey();
        return switch (random.nextInt(12)) {
            case 0 ->
                List.of(List.of("DEL", key), List.of("HSET", key, uuid + (random.nextBoolean() ? ":17" : ":-42"), "2"));
            case 1 -> List.of(List.of("DEL", key), List.of("HSET", key, "mode", "read", uuid + ":17", "1"));
            case 2 -> List.of(List.of("SET", token, "no number"));
            case 3, 4 -> List.of(List.of("DEL", key), List.of("INCR", token));
            default -> List.of(List.of("DEL", key), List.of("DEL", token));
        };
    }

    /** Corrupts the key so that every script returns an error. */
    private static List<List<String>> noHolds(String key, Map<String, String> fields) {
        return fields.containsKey("v")
                ? IDS.stream()
                        .map(id -> List.of("HSET", key, "h:" + id, NO_HOLD))
                        .toList()
                : List.of(List.of("DEL", key));
    }

    private List<List<String>> overtaken(String key, Map<String, String> fields) {
        return fields.containsKey("wn") ? List.of(List.of("HSET", key, "wb", "8")) : List.of();
    }

    private List<List<String>> requested(String key, Map<String, String> fields) {
        return fields.containsKey("last") ? List.of(List.of("HSET", key, "rq", fields.get("last"))) : List.of();
    }

    /** Adds two long holds of a named owner. */
    private List<List<String>> twice(String key, Map<String, String> fields, long time) {
        String hold = time + 3_600_000_000L + ":3600000000:" + time;
        return fields.getOrDefault("own", "").startsWith("n:")
                ? List.of(List.of("HSET", key, "h:a", hold, "h:b", hold))
                : List.of();
    }

    private List<List<String>> fullLatch(String key, Map<String, String> fields) {
        return fields.containsKey("of") ? List.of(List.of("HSET", key, "wn", "999")) : List.of();
    }

    private List<List<String>> ahead(String key, String hold, Map<String, String> fields, long time) {
        List<List<String>> commands = new ArrayList<>();
        if (fields.containsKey(hold)) {
            long end = time + 3_600_000_000L;
            commands.add(List.of("HSET", key, hold, end + ":20000:" + (end - 20_000)));
        }
        return commands;
    }
}
