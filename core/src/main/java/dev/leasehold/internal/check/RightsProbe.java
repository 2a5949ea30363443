package dev.leasehold.internal.check;

import dev.leasehold.inspect.Finding;
import dev.leasehold.inspect.Finding.Level;
import dev.leasehold.internal.connect.ClientConfig;
import dev.leasehold.internal.connect.ProcessName;
import dev.leasehold.internal.connect.ServerQueries;
import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.Holder;
import dev.leasehold.internal.key.KeyPrefix;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.OwnerKey;
import dev.leasehold.internal.script.AcquireScript;
import dev.leasehold.internal.script.ForceReleaseScript;
import dev.leasehold.internal.script.InspectScript;
import dev.leasehold.internal.script.LeaseSpan;
import dev.leasehold.internal.script.LeaveScript;
import dev.leasehold.internal.script.ReleaseScript;
import dev.leasehold.internal.script.RenewManyScript;
import dev.leasehold.internal.script.RenewScript;
import dev.leasehold.internal.script.Retention;
import dev.leasehold.internal.script.ServerTime;
import dev.leasehold.internal.script.TokenFloor;
import dev.leasehold.internal.script.Waiter;
import dev.leasehold.internal.wakeup.WakeChannel;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.ScriptCall;
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

    private static final Retention SHORT = new Retention(Duration.ofSeconds(1));
    private static final long LEASE_NANOS = 10_000_000_000L;
    private static final long TOMBSTONE_MICROS = 1_000_000L;
    private static final ServerTime ANY_TIME = new ServerTime(1L << 52);
    private static final int PARTS = 6;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final ServerQueries queries;
    private final ClientConfig config;

    RightsProbe(ServerQueries queries, ClientConfig config) {
        this.queries = queries;
        this.config = config;
    }

    /**
     * Runs the probe.
     *
     * @param nodes the number of nodes; if there are several, the first that answers is probed
     */
    void check(List<Finding> findings, int nodes) {
        try {
            probe(nodes == 1 ? key(config.keyPrefix(), 0, 1) : answeringKey());
            findings.add(new Finding(Level.FINE, "rights", "All scripts of Leasehold may run.", ""));
        } catch (RedisErrorException e) {
            findings.add(
                    e.code().equals("CLUSTERDOWN")
                            ? new Finding(
                                    Level.DANGER,
                                    "cluster",
                                    "The cluster grants no locks: " + e.getMessage() + ".",
                                    "See that every slot has a primary that answers.")
                            : new Finding(
                                    Level.DANGER,
                                    "rights",
                                    "A probe of the scripts was refused: " + e.getMessage() + "." + missing(),
                                    "Grant the user the commands and the key pattern "
                                            + config.keyPrefix().scanPattern()
                                            + " that docs/operations.md lists. If EVAL"
                                            + " must stay forbidden, scripts(Scripts.NONE) supports plain locks without it."));
        }
        wakeUps(findings);
    }

    /**
     * Returns the names of the missing permissions, because Redis 7.0 does not name the one that a script lacks. These
     * commands write nothing.
     */
    private String missing() {
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
                List.of("HKEYS", key),
                List.of("HSET", key, "f", "v", "without value"),
                List.of("HDEL", key, "f"),
                List.of("HINCRBY", key, "f", "no number"),
                List.of("PEXPIREAT", key, "1"),
                List.of("PEXPIRE", key, "1"))) {
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
        return missing.isEmpty() ? "" : " Missing: " + String.join(" ", missing) + ".";
    }

    /** Checks PUBLISH separately, because the scripts continue if they cannot publish a wake-up. */
    private void wakeUps(List<Finding> findings) {
        String channel = new WakeChannel(config.keyPrefix(), next().value()).name();
        try {
            queries.command(null, List.of("PUBLISH", channel, ""));
        } catch (RedisErrorException e) {
            findings.add(new Finding(
                    Level.WARNING,
                    "wake-ups",
                    "Wake-ups are refused: " + e.getMessage() + ". Waiters notice a free lock late.",
                    "Grant the user +publish and +subscribe on the channels "
                            + config.keyPrefix().value() + ":w:* as docs/operations.md says."));
        }
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
        List<ScriptCall> calls = keys.stream()
                .map(key -> InspectScript.call(key, config.commandTimeout().toNanos()))
                .toList();
        List<CompletionStage<List<String>>> states = queries.transport().evalBatch(calls);
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
        long timeout = config.commandTimeout().toNanos();
        AcquireScript.Answer granted = probeUsualCases(key, timeout);
        LeaseSpan lease = new LeaseSpan(LEASE_NANOS);
        AcquisitionId id = next();
        expect(
                AcquireScript.Code.GRANTED,
                acquire(key, id, OwnerKey.named("preflight")).code());
        AcquisitionId other = next();
        expect(
                AcquireScript.Code.BUSY,
                acquire(key, other, OwnerKey.anonymous(other)).code());
        ScriptCall renew = new RenewScript(SHORT).call(key, id, lease, timeout);
        expect(RenewScript.Code.RENEWED, RenewScript.parse(call(renew)).code());
        ScriptCall inspect = InspectScript.call(key, timeout);
        expect(InspectScript.Code.LOCK, InspectScript.parse(call(inspect)).code());
        release(key, id, false, new ServerTime(granted.now().micros() + TOMBSTONE_MICROS));
        expect(
                AcquireScript.Code.GRANTED,
                acquire(key, other, OwnerKey.anonymous(other)).code());
        AcquisitionId third = next();
        String channel = new WakeChannel(config.keyPrefix(), third.value()).name();
        AcquireScript.Answer waiting = acquire(key, third, OwnerKey.anonymous(third), new Waiter(channel, 0));
        expect(AcquireScript.Code.BUSY, waiting.code());
        ScriptCall leave = new LeaveScript(true).call(key, new Waiter(channel, waiting.position()), timeout);
        expect(LeaveScript.Code.LEFT, LeaveScript.parse(call(leave)).code());
        ScriptCall force = new ForceReleaseScript(SHORT, true).call(key, timeout);
        expect(
                ForceReleaseScript.Code.FREED,
                ForceReleaseScript.parse(call(force)).code());
        // Only large hashes are read in pages.
        queries.command(null, List.of("HSCAN", key.key(), "0"));
        queries.command(null, List.of("TYPE", key.key()));
    }

    private AcquireScript.Answer probeUsualCases(LockKey key, long timeout) {
        AcquisitionId usual = next();
        AcquireScript.Answer granted = acquireFree(key, usual);
        expect(AcquireScript.Code.GRANTED, granted.code());
        LeaseSpan lease = new LeaseSpan(LEASE_NANOS);
        RenewManyScript renewMany = new RenewManyScript(SHORT);
        ScriptCall renewal = renewMany.call(lease, List.of(new RenewManyScript.Entry(key, usual)), timeout);
        expect(
                RenewManyScript.Code.ALL,
                RenewManyScript.parse(call(renewal), lease, 1).code());
        release(key, usual, true, ServerTime.NONE);
        return granted;
    }

    private static void expect(Enum<?> wanted, Enum<?> found) {
        if (wanted != found) {
            throw new RedisErrorException("ERR the probe expected " + wanted + " and got " + found);
        }
    }

    private void release(LockKey key, AcquisitionId id, boolean lean, ServerTime notAfter) {
        ScriptCall release = new ReleaseScript(SHORT, true)
                .call(
                        key,
                        id,
                        new LeaseSpan(LEASE_NANOS),
                        lean,
                        notAfter,
                        config.commandTimeout().toNanos());
        expect(ReleaseScript.Code.RELEASED, ReleaseScript.parse(call(release)).code());
    }

    private static AcquisitionId next() {
        return AcquisitionId.next(RANDOM);
    }

    private AcquireScript.Answer acquireFree(LockKey key, AcquisitionId id) {
        return AcquireScript.parse(
                call(new AcquireScript(SHORT)
                        .callIfFree(
                                key,
                                id,
                                new LeaseSpan(LEASE_NANOS),
                                ANY_TIME,
                                new TokenFloor(0),
                                holder(),
                                config.commandTimeout().toNanos())),
                new LeaseSpan(LEASE_NANOS));
    }

    private AcquireScript.Answer acquire(LockKey key, AcquisitionId id, OwnerKey owner) {
        return acquire(key, id, owner, Waiter.NONE);
    }

    private AcquireScript.Answer acquire(LockKey key, AcquisitionId id, OwnerKey owner, Waiter waiter) {
        return AcquireScript.parse(
                call(new AcquireScript(SHORT)
                        .call(
                                key,
                                id,
                                owner,
                                new LeaseSpan(LEASE_NANOS),
                                ANY_TIME,
                                new TokenFloor(0),
                                holder(),
                                waiter,
                                config.commandTimeout().toNanos())),
                new LeaseSpan(LEASE_NANOS));
    }

    private static Holder holder() {
        return new Holder(ProcessName.get(), "preflight", "preflight");
    }

    private List<String> call(ScriptCall call) {
        return queries.await(queries.transport().eval(call));
    }
}
