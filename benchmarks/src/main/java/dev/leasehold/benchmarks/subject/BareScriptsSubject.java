package dev.leasehold.benchmarks.subject;

import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.Holder;
import dev.leasehold.internal.key.KeyPrefix;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.OwnerKey;
import dev.leasehold.internal.key.PermitKey;
import dev.leasehold.internal.script.AcquireFreeScript;
import dev.leasehold.internal.script.AcquireScript;
import dev.leasehold.internal.script.ReleaseScript;
import dev.leasehold.internal.script.RenewManyScript;
import dev.leasehold.internal.script.RenewScript;
import dev.leasehold.internal.script.ScriptBindings;
import dev.leasehold.internal.script.TokenMemory;
import dev.leasehold.internal.store.AcquireFreeLock;
import dev.leasehold.internal.store.AcquireHold;
import dev.leasehold.internal.store.LeaseSpan;
import dev.leasehold.internal.store.ReleaseHold;
import dev.leasehold.internal.store.RenewHolds;
import dev.leasehold.internal.store.ServerTime;
import dev.leasehold.internal.store.TokenFloor;
import dev.leasehold.internal.store.Waiter;
import dev.leasehold.spi.ScriptCall;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The floor: Leasehold's own scripts with Leasehold's own arguments, sent bare. Nothing is recorded, timed,
 * renewed or judged in Java, so the difference to Leasehold is the cost of its engine and its adapter.
 */
public final class BareScriptsSubject implements Subject {

    /** The name in the tables. */
    public static final String NAME = "Floor: bare scripts";

    /** The number of permits of a semaphore here: one, so that it can be checked as a lock. */
    static final int PERMITS = 1;

    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final ScriptBindings SCRIPTS = new ScriptBindings(new TokenMemory(Duration.ofMinutes(1)), true);
    private static final ServerTime ANY_TIME = new ServerTime(1L << 52);

    private final SecureRandom random = new SecureRandom();
    private final BareWire connection;
    private final boolean permits;

    /** Connects. */
    public BareScriptsSubject(String uri) {
        this(new BareConnection(uri), false);
    }

    /** Connects, for one permit of several. */
    public static BareScriptsSubject semaphore(String uri) {
        return new BareScriptsSubject(new BareConnection(uri), true);
    }

    /** Connects over Jedis. */
    public static BareScriptsSubject overJedis(String uri) {
        return new BareScriptsSubject(new BareJedisConnection(uri), false);
    }

    private BareScriptsSubject(BareWire connection, boolean permits) {
        this.permits = permits;
        this.connection = connection;
        connection.load((permits ? AcquireScript.PERMITS : AcquireFreeScript.SCRIPT).body());
        connection.load(ReleaseScript.SCRIPT.body());
        connection.load(RenewManyScript.SCRIPT.body());
        connection.load(RenewScript.SCRIPT.body());
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Grip grip(String lock) {
        LockKey ordinary = LockKey.of(new KeyPrefix("bare"), lock);
        LockKey key = permits ? PermitKey.of(ordinary, PERMITS, 1) : ordinary;
        AcquisitionId id = AcquisitionId.next(random);
        Holder holder = new Holder(
                ProcessHandle.current().pid() + "@localhost",
                Thread.currentThread().getName(),
                "");
        LeaseSpan lease = new LeaseSpan(LEASE.toNanos());
        TokenFloor floor = new TokenFloor(0);
        OwnerKey owner = OwnerKey.anonymous(id);
        ScriptCall acquire = permits
                ? SCRIPTS.call(
                        new AcquireHold(key, id, owner, lease, ANY_TIME, floor, holder, Waiter.NONE, LEASE.toNanos()))
                : SCRIPTS.call(new AcquireFreeLock(key, id, lease, ANY_TIME, floor, holder, LEASE.toNanos()));
        ScriptCall release = SCRIPTS.call(new ReleaseHold(key, id, lease, !permits, ServerTime.NONE, LEASE.toNanos()));
        return new BareGrip(connection, new Sendable(acquire), new Sendable(release), new RenewHolds.Entry(key, id));
    }

    /**
     * Renews these locks, which it holds, by one call.
     *
     * @throws IllegalStateException if one of them was not renewed
     */
    public void renew(List<Grip> grips) {
        List<RenewHolds.Entry> entries = new ArrayList<>();
        for (Grip grip : grips) {
            if (grip instanceof BareGrip own) {
                entries.add(own.hold);
            }
        }
        ScriptCall call = SCRIPTS.call(new RenewHolds(new LeaseSpan(LEASE.toNanos()), entries, LEASE.toNanos()));
        String answer = new Sendable(call).over(connection);
        if (!answer.equals(entries.size() == 1 ? "renewed" : "all")) {
            throw new IllegalStateException("the renewal was answered by '" + answer + "'");
        }
    }

    @Override
    public void close() {
        connection.close();
    }

    /** A call in the clients' format. */
    private static final class Sendable {
        private final String digest;
        private final String[] keys;
        private final String[] args;

        Sendable(ScriptCall call) {
            digest = call.script().sha1();
            keys = call.keys().toArray(String[]::new);
            args = call.args().toArray(String[]::new);
        }

        String over(BareWire connection) {
            return connection.list(digest, keys, args).get(0);
        }
    }

    /** Reuses the same id: the scripts have forgotten it with its release. */
    private static final class BareGrip implements Grip {

        private final BareWire connection;
        private final Sendable acquire;
        private final Sendable release;
        private final RenewHolds.Entry hold;
        private boolean held;

        BareGrip(BareWire connection, Sendable acquire, Sendable release, RenewHolds.Entry hold) {
            this.connection = connection;
            this.acquire = acquire;
            this.release = release;
            this.hold = hold;
        }

        @Override
        public void acquire() {
            while (!tryAcquire()) {
                Thread.onSpinWait();
            }
        }

        @Override
        public boolean tryAcquire() {
            held = acquire.over(connection).startsWith("granted");
            return held;
        }

        @Override
        public boolean held() {
            return held;
        }

        @Override
        public void release() {
            held = false;
            String answer = release.over(connection);
            if (!answer.equals("released")) {
                throw new IllegalStateException("the release was answered by '" + answer + "'");
            }
        }
    }
}
