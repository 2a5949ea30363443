package dev.leasehold.internal.check;

import dev.leasehold.inspect.Finding;
import dev.leasehold.inspect.Finding.Level;
import dev.leasehold.internal.connect.ClientConfig;
import dev.leasehold.internal.connect.ProcessName;
import dev.leasehold.internal.connect.ServerQueries;
import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.Holder;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.OwnerKey;
import dev.leasehold.internal.key.PlainKey;
import dev.leasehold.internal.scriptfree.ScriptFreeStore;
import dev.leasehold.internal.store.AcquireHold;
import dev.leasehold.internal.store.LeaseSpan;
import dev.leasehold.internal.store.LockStore;
import dev.leasehold.internal.store.ReleaseHold;
import dev.leasehold.internal.store.RenewHold;
import dev.leasehold.internal.store.ServerTime;
import dev.leasehold.internal.store.StoreRequest;
import dev.leasehold.internal.store.TokenFloor;
import dev.leasehold.internal.store.Waiter;
import dev.leasehold.internal.time.SystemTime;
import dev.leasehold.spi.RedisErrorException;
import java.security.SecureRandom;
import java.util.List;

/**
 * Acquires, renews and releases a plain lock on a separate key, without scripts, so that missing permissions show at
 * connect.
 */
final class CommandsProbe {

    private static final LeaseSpan LEASE = new LeaseSpan(10_000_000_000L);
    private static final ServerTime ANY_TIME = new ServerTime(1L << 52);

    private final ServerQueries queries;
    private final ClientConfig config;
    private final LockStore store;

    CommandsProbe(ServerQueries queries, ClientConfig config) {
        this.queries = queries;
        this.config = config;
        this.store = new ScriptFreeStore(queries.transport(), new SystemTime(), Runnable::run);
    }

    void check(List<Finding> findings) {
        try {
            probe();
            findings.add(new Finding(Level.FINE, "rights", "All commands of plain locks may run.", ""));
        } catch (RedisErrorException e) {
            // The application's locks may have other keys than this probe.
            boolean ofCommand = String.valueOf(e.getMessage()).contains("to run the");
            findings.add(new Finding(
                    ofCommand ? Level.DANGER : Level.WARNING,
                    "rights",
                    "A probe of the commands of plain locks was refused: " + e.getMessage() + ".",
                    "Grant the user the commands that docs/operations.md lists for clients without scripts, on the keys of"
                            + " your locks and, for this probe, on "
                            + config.keyPrefix().scanPattern() + "."));
        }
    }

    private void probe() {
        long timeout = config.commandTimeout().toNanos();
        AcquisitionId id = AcquisitionId.next(new SecureRandom());
        LockKey key = PlainKey.of(LockKey.of(config.keyPrefix(), "leasehold:preflight:" + id.value())
                .key());
        Holder holder = new Holder(ProcessName.get(), "preflight", "preflight");
        expect(
                AcquireHold.Code.GRANTED,
                send(new AcquireHold(
                                key,
                                id,
                                OwnerKey.anonymous(id),
                                LEASE,
                                ANY_TIME,
                                new TokenFloor(0),
                                holder,
                                Waiter.NONE,
                                timeout))
                        .code());
        expect(
                RenewHold.Code.RENEWED,
                send(new RenewHold(key, id, new LeaseSpan(2 * LEASE.nanos()), timeout))
                        .code());
        expect(
                ReleaseHold.Code.RELEASED,
                send(new ReleaseHold(key, id, LEASE, false, ServerTime.NONE, timeout))
                        .code());
        // UNWATCH is sent alone, because in a dialogue its refusal would go unnoticed, and the connection would keep
        // its watched keys.
        queries.command(null, List.of("UNWATCH"));
    }

    private <A> A send(StoreRequest<A> request) {
        return queries.await(store.send(request));
    }

    private static void expect(Enum<?> wanted, Enum<?> found) {
        if (wanted != found) {
            throw new RedisErrorException("ERR the probe expected " + wanted + " and got " + found);
        }
    }
}
