package dev.leasehold.internal.client;

import dev.leasehold.inspect.Finding;
import dev.leasehold.inspect.Finding.Level;
import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.Holder;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.OwnerKey;
import dev.leasehold.internal.script.AcquireScript;
import dev.leasehold.internal.script.InspectScript;
import dev.leasehold.internal.script.LeaseSpan;
import dev.leasehold.internal.script.ReleaseScript;
import dev.leasehold.internal.script.RenewScript;
import dev.leasehold.internal.script.Retention;
import dev.leasehold.internal.script.ServerTime;
import dev.leasehold.internal.script.TokenFloor;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.ScriptCall;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;

/** Runs every script once on a key of its own, so that missing rights show at connect and not in the middle of a lock. */
final class RightsProbe {

    private static final Retention SHORT = new Retention(Duration.ofSeconds(1));
    private static final long LEASE_NANOS = 1_000_000_000L;
    private static final ServerTime ANY_TIME = new ServerTime(1L << 52);

    private final ServerQueries queries;
    private final ClientConfig config;

    RightsProbe(ServerQueries queries, ClientConfig config) {
        this.queries = queries;
        this.config = config;
    }

    void check(List<Finding> findings) {
        AcquisitionId id = AcquisitionId.next(new SecureRandom());
        LockKey key = LockKey.of(config.keyPrefix(), "leasehold:preflight:" + id.value());
        try {
            call(acquire(key, id));
            long timeout = config.commandTimeout().toNanos();
            call(new RenewScript(SHORT).call(key, id, new LeaseSpan(LEASE_NANOS), timeout));
            call(InspectScript.call(key, timeout));
            call(new ReleaseScript(SHORT).call(key, id, ServerTime.NONE, timeout));
            findings.add(new Finding(Level.FINE, "rights", "All scripts of Leasehold may run.", ""));
        } catch (RedisErrorException e) {
            findings.add(new Finding(
                    Level.DANGER,
                    "rights",
                    "A probe of the scripts was refused: " + e.getMessage() + ".",
                    "Grant the user the commands and the key pattern "
                            + config.keyPrefix().scanPattern() + " that docs/guarantees.md lists."));
        }
    }

    private ScriptCall acquire(LockKey key, AcquisitionId id) {
        return new AcquireScript(SHORT)
                .call(
                        key,
                        id,
                        OwnerKey.anonymous(id),
                        new LeaseSpan(LEASE_NANOS),
                        ANY_TIME,
                        new TokenFloor(0),
                        new Holder(ProcessName.get(), "preflight", ""),
                        config.commandTimeout().toNanos());
    }

    private void call(ScriptCall call) {
        queries.await(queries.transport().eval(call));
    }
}
