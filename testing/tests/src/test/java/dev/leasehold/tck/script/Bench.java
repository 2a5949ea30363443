package dev.leasehold.tck.script;

import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.Holder;
import dev.leasehold.internal.key.KeyPrefix;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.OwnerKey;
import dev.leasehold.internal.key.PermitKey;
import dev.leasehold.internal.key.ReadKey;
import dev.leasehold.internal.script.ScriptBindings;
import dev.leasehold.internal.script.TokenMemory;
import dev.leasehold.internal.store.AcquireFreeLock;
import dev.leasehold.internal.store.AcquireHold;
import dev.leasehold.internal.store.ChangePermits;
import dev.leasehold.internal.store.ContinueHandOff;
import dev.leasehold.internal.store.DowngradeHold;
import dev.leasehold.internal.store.ForceRelease;
import dev.leasehold.internal.store.InspectLock;
import dev.leasehold.internal.store.LeaseSpan;
import dev.leasehold.internal.store.LeaveQueue;
import dev.leasehold.internal.store.ReleaseHold;
import dev.leasehold.internal.store.RenewHold;
import dev.leasehold.internal.store.RequestRelease;
import dev.leasehold.internal.store.ResumeHold;
import dev.leasehold.internal.store.SendHeartbeats;
import dev.leasehold.internal.store.ServerTime;
import dev.leasehold.internal.store.StoreRequest;
import dev.leasehold.internal.store.TokenFloor;
import dev.leasehold.internal.store.Waiter;
import dev.leasehold.spi.Script;
import dev.leasehold.spi.ScriptCall;
import dev.leasehold.testkit.EmbeddedRedis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.awaitility.Awaitility;

/** Runs single scripts against one lock on a real server, through the bindings, and reads the resulting keys. */
final class Bench implements AutoCloseable {

    static final long MILLI = 1000;
    static final long SECOND = 1_000_000;
    static final long HOUR = 3600 * SECOND;

    /** A time until which every request is in time. */
    static final ServerTime EVER = new ServerTime(Long.MAX_VALUE / 4096);

    final LockKey key;
    private final Wire wire;
    private final TokenMemory memory;
    final ScriptBindings scripts;

    Bench(EmbeddedRedis redis) {
        this(redis, "a", Duration.ofSeconds(60));
    }

    Bench(EmbeddedRedis redis, Duration memory) {
        this(redis, "a", memory);
    }

    Bench(EmbeddedRedis redis, String name, Duration memory) {
        this.key = LockKey.of(new KeyPrefix("leasehold"), name);
        this.wire = new Wire(redis);
        this.memory = new TokenMemory(memory);
        this.scripts = new ScriptBindings(this.memory, true);
    }

    /** The arguments of an acquire: by default of one hour, for its own owner, in time and without a floor. */
    record Entry(
            Bench bench,
            LockKey key,
            String id,
            OwnerKey owner,
            long lease,
            long notAfter,
            long floor,
            Holder holder,
            Waiter waiter) {

        Entry as(String name) {
            return new Entry(bench, key, id, OwnerKey.named(name), lease, notAfter, floor, holder, waiter);
        }

        Entry lasting(long micros) {
            return new Entry(bench, key, id, owner, micros, notAfter, floor, holder, waiter);
        }

        Entry notAfter(long micros) {
            return new Entry(bench, key, id, owner, lease, micros, floor, holder, waiter);
        }

        Entry above(long token) {
            return new Entry(bench, key, id, owner, lease, notAfter, token, holder, waiter);
        }

        Entry by(Holder holder) {
            return new Entry(bench, key, id, owner, lease, notAfter, floor, holder, waiter);
        }

        /** Returns the arguments of a client that waits, at this position; 0 for none yet. */
        Entry waiting(String channel, long position) {
            return new Entry(bench, key, id, owner, lease, notAfter, floor, holder, new Waiter(channel, position));
        }

        /** Returns the arguments of a client that overtakes no waiter; without a channel it does not wait. */
        Entry fairly(String channel, long position) {
            return new Entry(
                    bench, key, id, owner, lease, notAfter, floor, holder, new Waiter(channel, position, 1, true));
        }

        /** Returns the arguments with so many tokens reserved, for other waiters of its process. */
        Entry reserving(int tokens) {
            Waiter reserves = new Waiter(waiter.channel(), waiter.position(), tokens, waiter.fair());
            return new Entry(bench, key, id, owner, lease, notAfter, floor, holder, reserves);
        }

        /** Returns the arguments of a reader. */
        Entry reading() {
            return new Entry(bench, ReadKey.of(key), id, owner, lease, notAfter, floor, holder, waiter);
        }

        /** Returns the arguments of a request for permits of a semaphore. */
        Entry permits(int wanted, int total) {
            PermitKey semaphore = PermitKey.of(key, total, wanted);
            return new Entry(bench, semaphore, id, owner, lease, notAfter, floor, holder, waiter);
        }

        AcquireHold request() {
            return new AcquireHold(
                    key,
                    new AcquisitionId(id),
                    owner,
                    new LeaseSpan(lease * 1000),
                    new ServerTime(notAfter),
                    new TokenFloor(floor),
                    holder,
                    waiter,
                    1);
        }

        ScriptCall call() {
            return bench.scripts.call(request());
        }

        AcquireFreeLock requestIfFree() {
            return new AcquireFreeLock(
                    key,
                    new AcquisitionId(id),
                    new LeaseSpan(lease * 1000),
                    new ServerTime(notAfter),
                    new TokenFloor(floor),
                    holder,
                    1);
        }

        /** Returns the answer of the script for a free lock. */
        AcquireHold.Answer ifFree() {
            return bench.send(requestIfFree());
        }

        AcquireHold.Answer now() {
            return bench.send(request());
        }
    }

    Entry acquire(String id) {
        OwnerKey own = OwnerKey.anonymous(new AcquisitionId(id));
        return new Entry(
                this, key, id, own, HOUR, Long.MAX_VALUE / 4096, 0, new Holder("17@host", "main", ""), Waiter.NONE);
    }

    RenewHold.Answer renew(String id, long micros) {
        return send(new RenewHold(key, new AcquisitionId(id), new LeaseSpan(micros * 1000), 1));
    }

    ContinueHandOff.Answer goOn(String id, long micros, long position, int tokens) {
        LeaseSpan span = new LeaseSpan(micros * 1000);
        return send(new ContinueHandOff(key, new AcquisitionId(id), span, position, tokens, 1));
    }

    ContinueHandOff.Answer retain(String id, long micros, long last, boolean again) {
        LeaseSpan span = new LeaseSpan(micros * 1000);
        return send(new ContinueHandOff.Retain(key, new AcquisitionId(id), span, last, "the channel", again, 1));
    }

    DowngradeHold.Answer downgrade(String id) {
        return downgrade(id, 0, 0);
    }

    /** A downgrade by a client that knows a token, and that has given one to its readers. */
    DowngradeHold.Answer downgrade(String id, long floor, long given) {
        return send(new DowngradeHold(key, new AcquisitionId(id), new TokenFloor(floor), given, 1));
    }

    /**
     * The arguments of a resume: by default of one hour, in time, without a floor and without a late copy to
     * expect.
     */
    record Resumption(
            Bench bench, String id, String former, OwnerKey owner, long lease, long notAfter, long copies, long floor) {

        Resumption as(String name) {
            return new Resumption(bench, id, former, OwnerKey.named(name), lease, notAfter, copies, floor);
        }

        Resumption reading() {
            OwnerKey readers = OwnerKey.read(OwnerKey.READERS);
            return new Resumption(bench, id, former, readers, lease, notAfter, copies, floor);
        }

        Resumption lasting(long micros) {
            return new Resumption(bench, id, former, owner, micros, notAfter, copies, floor);
        }

        Resumption notAfter(long micros) {
            return new Resumption(bench, id, former, owner, lease, micros, copies, floor);
        }

        Resumption burying(long micros) {
            return new Resumption(bench, id, former, owner, lease, notAfter, micros, floor);
        }

        Resumption above(long token) {
            return new Resumption(bench, id, former, owner, lease, notAfter, copies, token);
        }

        ResumeHold request() {
            return new ResumeHold(
                    bench.key,
                    new AcquisitionId(id),
                    new ResumeHold.Former(new AcquisitionId(former), new ServerTime(copies)),
                    owner,
                    new LeaseSpan(lease * 1000),
                    new ServerTime(notAfter),
                    new TokenFloor(floor),
                    new Holder("18@host", "main", "resumed"),
                    1);
        }

        ResumeHold.Answer now() {
            return bench.send(request());
        }
    }

    Resumption resume(String id, String former) {
        OwnerKey own = OwnerKey.anonymous(new AcquisitionId(id));
        return new Resumption(this, id, former, own, HOUR, Long.MAX_VALUE / 4096, 0, 0);
    }

    RequestRelease.Answer requestRelease() {
        return send(new RequestRelease(key, EVER, 1));
    }

    ReleaseHold.Answer release(String id) {
        return release(id, 0);
    }

    /** Releases a hold that {@code acquire_free} could have granted, without a label, and that is short beside the token memory. */
    ReleaseHold.Answer releaseUsual(String id) {
        return send(new ReleaseHold(key, new AcquisitionId(id), new LeaseSpan(0), true, ServerTime.NONE, 1));
    }

    ReleaseHold.Answer release(String id, long notAfter) {
        ServerTime until = new ServerTime(notAfter);
        return send(new ReleaseHold(key, new AcquisitionId(id), new LeaseSpan(HOUR * 1000), false, until, 1));
    }

    /** Releases a hold that was retained. */
    ReleaseHold.Answer release(String id, ReleaseHold.Tokens tokens) {
        LeaseSpan longest = new LeaseSpan(HOUR * 1000);
        return send(new ReleaseHold(key, new AcquisitionId(id), longest, false, ServerTime.NONE, tokens, 1));
    }

    LeaveQueue.Answer leave(String channel, long position) {
        return send(new LeaveQueue(key, new Waiter(channel, position), null, 1));
    }

    /** Gives up the position that an acquisition may have taken. */
    LeaveQueue.Answer leave(String channel, String id) {
        return leave(channel, 0, id);
    }

    /** Gives up the position that an acquisition may have taken, unless it is this one. */
    LeaveQueue.Answer leave(String channel, long stays, String id) {
        return send(new LeaveQueue(key, new Waiter(channel, stays), new AcquisitionId(id), 1));
    }

    /** Returns the result of one call over positions in the queues of this lock and others. */
    List<SendHeartbeats.Result> poll(List<SendHeartbeats.Entry> entries) {
        return send(new SendHeartbeats(entries, 1)).results();
    }

    SendHeartbeats.Result poll(String channel, long position) {
        return poll(List.of(new SendHeartbeats.Entry(key, new Waiter(channel, position))))
                .get(0);
    }

    ChangePermits.Answer changePermits(int total) {
        return send(new ChangePermits(key, total, EVER, 1));
    }

    ForceRelease.Answer force() {
        return send(new ForceRelease(key, 0, EVER, 1));
    }

    InspectLock.Answer inspect() {
        return send(new InspectLock(key, 1));
    }

    /** Sends a request by its script, and reads the reply. */
    <A> A send(StoreRequest<A> request) {
        return scripts.read(request, run(scripts.call(request)));
    }

    /** Runs a script like adapters: by its digest, and in full if the server does not know it. */
    List<String> run(ScriptCall call) {
        Script script = call.script();
        List<String> args = new ArrayList<>(
                List.of("EVALSHA", script.sha1(), Integer.toString(call.keys().size())));
        args.addAll(call.keys());
        args.addAll(call.args());
        try {
            return strings(wire.command(args));
        } catch (Wire.ErrorReply e) {
            if (!e.getMessage().startsWith("NOSCRIPT")) {
                throw e;
            }
        }
        args.set(0, "EVAL");
        args.set(1, script.body());
        return strings(wire.command(args));
    }

    @SuppressWarnings("unchecked")
    private static List<String> strings(Object reply) {
        return reply instanceof String text ? List.of(text) : (List<String>) reply;
    }

    Object command(String... args) {
        return wire.command(Arrays.asList(args));
    }

    /** Returns Redis TIME, in us. */
    long time() {
        List<?> parts = (List<?>) command("TIME");
        return Long.parseLong((String) parts.get(0)) * SECOND + Long.parseLong((String) parts.get(1));
    }

    /** Waits until Redis TIME is past a moment. */
    void past(long micros) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(2))
                .until(() -> time() > micros);
    }

    /** Returns the hash under the key. */
    Map<String, String> fields() {
        List<?> reply = (List<?>) command("HGETALL", key.key());
        Map<String, String> fields = new TreeMap<>();
        for (int i = 0; i < reply.size(); i += 2) {
            fields.put((String) reply.get(i), (String) reply.get(i + 1));
        }
        return fields;
    }

    String field(String name) {
        return fields().get(name);
    }

    void put(String field, Object value) {
        command("HSET", key.key(), field, String.valueOf(value));
    }

    /** Returns the end of the hold according to its field; -1 if there is none. */
    long end(String id) {
        String hold = field("h:" + id);
        if (hold == null) {
            return -1;
        }
        String[] parts = hold.split(":");
        return Long.parseLong(parts[0]) + Long.parseLong(parts[1]);
    }

    /** Rewrites a hold. The sum of a named owner's holds does not fit any more. */
    private void rewrite(String id, String hold) {
        put("h:" + id, hold);
        if (String.valueOf(field("own")).startsWith("n:")) {
            command("HDEL", key.key(), "rs");
        }
    }

    /** Rewrites a hold as if it had begun so much earlier that it has just ended. */
    void ended(String id) {
        long from = time() - 1 - MILLI;
        rewrite(id, from + ":" + MILLI + ":" + from);
    }

    /** Rewrites a hold as if it had been written while the clock was ahead. */
    void writtenAhead(String id, long micros) {
        String[] parts = field("h:" + id).split(":");
        rewrite(id, Long.parseLong(parts[0]) + micros + ":" + parts[1] + ":" + (Long.parseLong(parts[2]) + micros));
    }

    /** Returns the expiry of the key, in ms of Redis time: -1 if it has none, -2 if there is no key. */
    long expiry() {
        return (Long) command("PEXPIRETIME", key.key());
    }

    /** Returns the expiry that the protocol prescribes for a key that must outlive these moments in us. */
    long expiryFor(long... micros) {
        long latest = Arrays.stream(micros).max().orElse(0);
        return (latest + MILLI - 1) / MILLI + memory.time().toMillis();
    }

    /** Returns all fields and the expiry, for comparison. */
    Map<String, Object> everything() {
        Map<String, Object> all = new HashMap<>(fields());
        all.put("expiry", expiry());
        return all;
    }

    @Override
    public void close() {
        wire.close();
    }
}
