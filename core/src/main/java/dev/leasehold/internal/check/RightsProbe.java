package dev.leasehold.internal.check;

import dev.leasehold.diagnostics.Finding;
import dev.leasehold.diagnostics.Finding.Level;
import dev.leasehold.internal.connect.ClientConfig;
import dev.leasehold.internal.connect.ProcessName;
import dev.leasehold.internal.connect.ServerQueries;
import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.Holder;
import dev.leasehold.internal.key.KeyPrefix;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.OwnerKey;
import dev.leasehold.internal.request.ErrorReactions;
import dev.leasehold.internal.request.RefusalAdvice;
import dev.leasehold.internal.request.RequestFailures;
import dev.leasehold.internal.script.ScriptBindings;
import dev.leasehold.internal.script.ScriptStore;
import dev.leasehold.internal.script.TokenMemory;
import dev.leasehold.internal.store.AcquireFreeLock;
import dev.leasehold.internal.store.AcquireHold;
import dev.leasehold.internal.store.ForceRelease;
import dev.leasehold.internal.store.InspectLock;
import dev.leasehold.internal.store.LeaseSpan;
import dev.leasehold.internal.store.LeaveQueue;
import dev.leasehold.internal.store.LockStore;
import dev.leasehold.internal.store.ReleaseHold;
import dev.leasehold.internal.store.RenewHold;
import dev.leasehold.internal.store.RenewHolds;
import dev.leasehold.internal.store.ServerTime;
import dev.leasehold.internal.store.StoreRequest;
import dev.leasehold.internal.store.TokenFloor;
import dev.leasehold.internal.store.Waiter;
import dev.leasehold.internal.wakeup.WakeChannel;
import dev.leasehold.spi.RedisErrorException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Runs every script once on a separate key, so that missing permissions show at connect and not while a lock is in use.
 */
final class RightsProbe {

    /** The subject of the finding that no script may run, so that no lock works; nothing else has it. */
    static final String NO_SCRIPTS = "scripts";

    private static final TokenMemory SHORT = new TokenMemory(Duration.ofSeconds(1));
    private static final long LEASE_NANOS = 10_000_000_000L;
    private static final long TOMBSTONE_MICROS = 1_000_000L;
    private static final ServerTime ANY_TIME = new ServerTime(1L << 52);
    private static final int PARTS = 6;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final ServerQueries queries;
    private final ClientConfig config;
    private final LockStore store;

    RightsProbe(ServerQueries queries, ClientConfig config) {
        this.queries = queries;
        this.config = config;
        this.store = new ScriptStore(queries.transport(), new ScriptBindings(SHORT, true));
    }

    /**
     * Runs the probe.
     *
     * @param nodes the number of nodes; if there are several, the first that answers is probed
     */
    void check(List<Finding> findings, int nodes) {
        try {
            probe(answeringKey(nodes));
            // The server may know all scripts by their digests, until it forgets them.
            queries.command(null, List.of("EVAL", "return 1", "0"));
            findings.add(new Finding(Level.FINE, "rights", "All scripts of Leasehold may run.", ""));
        } catch (RedisErrorException e) {
            findings.add(refused(e));
        }
    }

    private Finding refused(RedisErrorException refusal) {
        String reason = RequestFailures.reason(refusal) + ".";
        return switch (ErrorReactions.of(refusal)) {
            case OUT_OF_MEMORY ->
                new Finding(
                        Level.DANGER,
                        "memory",
                        "Redis is out of memory and grants no locks; leases that are held can be renewed: " + reason,
                        "Raise maxmemory, or remove data.");
            case RETRY ->
                refusal.code().equals("CLUSTERDOWN")
                        ? new Finding(
                                Level.DANGER,
                                "cluster",
                                "The cluster grants no locks: " + reason,
                                "See that every slot has a primary that answers.")
                        : new Finding(
                                Level.DANGER,
                                "state",
                                "Redis grants no locks in its present state: " + reason,
                                "Check the log of Redis.");
            case NOT_PERMITTED, REFUSED -> refusedForGood(refusal, reason);
        };
    }

    private Finding refusedForGood(RedisErrorException refusal, String reason) {
        if (refusal.refusesCredentials()) {
            return new Finding(
                    Level.DANGER,
                    "credentials",
                    "Redis refused user name and password: " + reason,
                    RefusalAdvice.ofScript(refusal) + ".");
        }
        Set<String> missing = missing();
        return new Finding(
                Level.DANGER,
                RefusalAdvice.refusesScripts(refusal) ? NO_SCRIPTS : "rights",
                "A probe of the scripts was refused: " + reason,
                (missing.isEmpty() ? RefusalAdvice.ofScript(refusal) : RefusalAdvice.grant(refusal, missing)) + ".");
    }

    /**
     * Returns the names of the missing permissions, because Redis 7.0 does not name the one that a script lacks. These
     * commands write nothing.
     */
    private Set<String> missing() {
        String key = LockKey.of(config.keyPrefix(), "leasehold:preflight:" + next().value())
                .key();
        Set<String> missing = new LinkedHashSet<>();
        for (List<String> command : List.of(
                List.of("EVAL", "return 1", "0"),
                List.of("EVALSHA", "0".repeat(40), "0"),
                List.of("EXISTS", key),
                List.of("TYPE", key),
                List.of("HMGET", key, "f"),
                List.of("HGET", key, "f"),
                List.of("HGETALL", key),
                List.of("HLEN", key),
                List.of("HSCAN", key, "0"),
                List.of("HSET", key, "f", "v", "without value"),
                List.of("HDEL", key, "f"),
                List.of("HINCRBY", key, "f", "no number"),
                List.of("PEXPIREAT", key, "1"))) {
            try {
                queries.command(null, command);
            } catch (RedisErrorException e) {
                if (e.code().equals("NOPERM")) {
                    boolean ofCommand = String.valueOf(e.getMessage()).contains("to run the");
                    missing.add(
                            ofCommand
                                    ? "+" + command.get(0).toLowerCase(Locale.ROOT)
                                    : "~" + config.keyPrefix().scanPattern());
                }
            }
        }
        return missing;
    }

    /** Returns a new key; of several nodes, of one that answers. */
    LockKey answeringKey(int nodes) {
        return nodes == 1 ? key(config.keyPrefix(), 0, 1) : answeringKey();
    }

    /**
     * Returns a key of a node that answers: the first of several that were asked at once for the state of a key. Each has
     * another part of the slots: a node usually owns adjacent slots, so one that is silent does not own all parts, as it
     * might own all of several random keys.
     */
    private LockKey answeringKey() {
        List<LockKey> keys = IntStream.range(0, PARTS)
                .mapToObj(part -> key(config.keyPrefix(), part, PARTS))
                .toList();
        CompletableFuture<LockKey> first = new CompletableFuture<>();
        AtomicInteger open = new AtomicInteger(PARTS);
        List<CompletableFuture<?>> states = store.sendAll(
                keys.stream().map(key -> new InspectLock(key, timeoutNanos())).toList());
        for (int part = 0; part < PARTS; part++) {
            LockKey key = keys.get(part);
            CompletionStage<?> unused = states.get(part).whenComplete((state, failure) -> {
                // A refusal is an answer, which the probe gets, too.
                if (failure == null || failure instanceof RedisErrorException) {
                    first.complete(key);
                } else if (open.decrementAndGet() == 0) {
                    first.completeExceptionally(failure);
                }
            });
        }
        return queries.await(first);
    }

    /** Returns a new key in one of several equal parts of the slots. */
    static LockKey key(KeyPrefix prefix, int part, int parts) {
        return Stream.generate(() -> LockKey.of(prefix, "leasehold:preflight:" + next().value()))
                .filter(key -> key.slot() * parts / LockKey.SLOTS == part)
                .findFirst()
                .orElseThrow();
    }

    /** Executes every branch of every script that calls a command not called elsewhere. */
    private void probe(LockKey key) {
        AcquireHold.Answer granted = probeUsualCases(key);
        LeaseSpan lease = new LeaseSpan(LEASE_NANOS);
        AcquisitionId id = next();
        expect(
                AcquireHold.Code.GRANTED,
                acquire(key, id, OwnerKey.named("preflight")).code());
        AcquisitionId other = next();
        expect(
                AcquireHold.Code.BUSY,
                acquire(key, other, OwnerKey.anonymous(other)).code());
        expect(
                RenewHold.Code.RENEWED,
                send(new RenewHold(key, id, lease, timeoutNanos())).code());
        expect(InspectLock.Code.LOCK, inspect(key).code());
        release(key, id, false, new ServerTime(granted.now().micros() + TOMBSTONE_MICROS));
        expect(
                AcquireHold.Code.GRANTED,
                acquire(key, other, OwnerKey.anonymous(other)).code());
        AcquisitionId third = next();
        String channel = new WakeChannel(config.keyPrefix(), third.value()).name();
        AcquireHold.Answer waiting = acquire(key, third, OwnerKey.anonymous(third), new Waiter(channel, 0));
        expect(AcquireHold.Code.BUSY, waiting.code());
        LeaveQueue leave = new LeaveQueue(key, new Waiter(channel, waiting.position()), null, timeoutNanos());
        expect(LeaveQueue.Code.LEFT, send(leave).code());
        expect(
                ForceRelease.Code.FREED,
                send(new ForceRelease(key, 0, ANY_TIME, timeoutNanos())).code());
        // Only large hashes are read in pages.
        queries.command(null, List.of("HSCAN", key.key(), "0"));
        queries.command(null, List.of("TYPE", key.key()));
    }

    private AcquireHold.Answer probeUsualCases(LockKey key) {
        AcquisitionId usual = next();
        AcquireHold.Answer granted = acquireFree(key, usual);
        expect(AcquireHold.Code.GRANTED, granted.code());
        // Twice the same, because a single renewal is sent by another script.
        RenewHolds.Entry renewed = new RenewHolds.Entry(key, usual);
        RenewHolds.Answer renewals =
                send(new RenewHolds(new LeaseSpan(LEASE_NANOS), List.of(renewed, renewed), timeoutNanos()));
        renewals.results()
                .forEach(renewal ->
                        expect(RenewHold.Code.RENEWED, renewal.orThrow().code()));
        release(key, usual, true, ServerTime.NONE);
        return granted;
    }

    private static void expect(Enum<?> wanted, Enum<?> found) {
        if (wanted != found) {
            throw new RedisErrorException("ERR the probe expected " + wanted + " and got " + found);
        }
    }

    private void release(LockKey key, AcquisitionId id, boolean lean, ServerTime notAfter) {
        ReleaseHold release = new ReleaseHold(key, id, new LeaseSpan(LEASE_NANOS), lean, notAfter, timeoutNanos());
        expect(ReleaseHold.Code.RELEASED, send(release).code());
    }

    private static AcquisitionId next() {
        return AcquisitionId.next(RANDOM);
    }

    private AcquireHold.Answer acquireFree(LockKey key, AcquisitionId id) {
        return send(new AcquireFreeLock(
                key, id, new LeaseSpan(LEASE_NANOS), ANY_TIME, new TokenFloor(0), holder(), timeoutNanos()));
    }

    private AcquireHold.Answer acquire(LockKey key, AcquisitionId id, OwnerKey owner) {
        return acquire(key, id, owner, Waiter.NONE);
    }

    private AcquireHold.Answer acquire(LockKey key, AcquisitionId id, OwnerKey owner, Waiter waiter) {
        return send(new AcquireHold(
                key,
                id,
                owner,
                new LeaseSpan(LEASE_NANOS),
                ANY_TIME,
                new TokenFloor(0),
                holder(),
                waiter,
                timeoutNanos()));
    }

    private static Holder holder() {
        return new Holder(ProcessName.get(), "preflight", "preflight");
    }

    private long timeoutNanos() {
        return queries.timeout().toNanos();
    }

    /** Sends it in a batch: the connection for inspection is not opened before somebody inspects. */
    private InspectLock.Answer inspect(LockKey key) {
        InspectLock request = new InspectLock(key, timeoutNanos());
        return queries.await(request.typed(store.sendAll(List.of(request)).get(0)));
    }

    private <A> A send(StoreRequest<A> request) {
        return queries.await(store.send(request));
    }
}
