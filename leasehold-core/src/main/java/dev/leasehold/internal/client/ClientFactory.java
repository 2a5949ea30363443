package dev.leasehold.internal.client;

import dev.leasehold.Leasehold;
import dev.leasehold.LeaseholdBuilder.Preflight;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.inspect.Finding;
import dev.leasehold.internal.engine.Engine;
import dev.leasehold.internal.engine.EngineParts;
import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.Names;
import dev.leasehold.internal.scriptfree.ScriptFreeTransport;
import dev.leasehold.internal.time.SystemTime;
import dev.leasehold.internal.time.WheelTimer;
import dev.leasehold.internal.wait.WakeChannel;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spi.ServerDescription;
import dev.leasehold.spi.ServerDescription.Capability;
import dev.leasehold.spi.TimeSource;
import dev.leasehold.spi.Timer;
import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Puts a client together: connects, reads the server's clock, checks it, and starts the engine. */
public final class ClientFactory {

    private static final Logger LOG = LoggerFactory.getLogger("dev.leasehold.preflight");

    private ClientFactory() {}

    /** Connects and checks. */
    public static Leasehold open(ClientConfig config) {
        OwnedResources disposal = new OwnedResources();
        try {
            return open(config, disposal);
        } catch (RedisErrorException e) {
            LockUnavailableException refused = new LockUnavailableException(
                    "",
                    false,
                    "Redis refused what every client needs to begin with: "
                            + Names.escape(String.valueOf(e.getMessage()))
                            + ". Grant the user +info and +time; docs/operations.md lists all commands that are needed",
                    e);
            disposal.disposeAfter(refused);
            throw refused;
        } catch (RuntimeException | Error e) {
            disposal.disposeAfter(e);
            throw e;
        }
    }

    private static Leasehold open(ClientConfig config, OwnedResources disposal) {
        QuorumConfig quorum = config.quorum();
        if (quorum != null) {
            return new QuorumFactory(config, quorum, disposal).open();
        }
        RedisTransport transport = config.transport();
        if (transport == null) {
            transport = Transports.open(config);
        }
        disposal.add(transport);
        TimeSource time = config.timeSource() == null ? new SystemTime() : config.timeSource();
        ServerQueries queries = new ServerQueries(transport, config.commandTimeout());
        ServerDescription description = queries.describe();
        if (config.scriptFree()) {
            transport = withoutScripts(transport, description, time, config, disposal);
            queries = new ServerQueries(transport, config.commandTimeout());
            description = queries.describe();
        }
        ServerQueries.TimeSample sample = queries.time(time);
        Supplier<AcquisitionId> ids = ids();
        WakeChannel wakeChannel = new WakeChannel(config.keyPrefix(), ids.get().value());
        Engine engine = new Engine(new EngineParts(
                transport,
                time,
                timer(config, disposal),
                disposal.lane(config.name()),
                callbacks(config, disposal),
                ids,
                () -> ThreadLocalRandom.current().nextDouble(),
                config.listeners(),
                ProcessName.get(),
                wakeChannel,
                sample.time(),
                sample.sentAt(),
                description.version(),
                description.capabilities(),
                config.limits()));
        engine.check(config.defaults());
        LeaseholdClient client = new LeaseholdClient(config, time, engine, queries, disposal);
        try {
            preflight(config.preflight(), client::preflight);
        } catch (RuntimeException e) {
            client.close();
            throw e;
        }
        return client;
    }

    private static RedisTransport withoutScripts(
            RedisTransport transport,
            ServerDescription description,
            TimeSource time,
            ClientConfig config,
            OwnedResources disposal) {
        if (!description.capabilities().contains(Capability.CONVERSES)) {
            throw new IllegalArgumentException(
                    "scripts(Scripts.NONE) is refused: the adapter to the Redis client has no"
                            + " connection of its own for WATCH, MULTI and EXEC. Use one that has, such as leasehold-lettuce or"
                            + " leasehold-jedis, or let the user run EVAL and leave the option out");
        }
        return new ScriptFreeTransport(transport, time, disposal.batches(config.name()));
    }

    /** A client of given parts, whose transport is closed with it; nothing is sent or checked. */
    public static Leasehold assemble(ClientConfig config, EngineParts parts) {
        OwnedResources disposal = new OwnedResources();
        disposal.add(parts.transport());
        ServerQueries queries = new ServerQueries(parts.transport(), config.commandTimeout());
        return new LeaseholdClient(config, parts.time(), new Engine(parts), queries, disposal);
    }

    static Supplier<AcquisitionId> ids() {
        SecureRandom random = new SecureRandom();
        return () -> AcquisitionId.next(random);
    }

    static Timer timer(ClientConfig config, OwnedResources disposal) {
        Timer lent = config.timer();
        if (lent != null) {
            return lent;
        }
        Timer own = new WheelTimer(config.name() + "-timer");
        disposal.add(own);
        return own;
    }

    static Executor callbacks(ClientConfig config, OwnedResources disposal) {
        Executor lent = config.eventExecutor();
        return lent != null ? lent : disposal.callbacks(config.name());
    }

    static void preflight(Preflight mode, Supplier<List<Finding>> diagnosis) {
        if (mode == Preflight.OFF) {
            return;
        }
        List<Finding> dangers = diagnosis.get().stream()
                .filter(finding -> finding.level() == Finding.Level.DANGER)
                .toList();
        for (Finding finding : dangers) {
            LOG.warn("{}: {} {}", finding.subject(), finding.text(), finding.remedy());
        }
        if (mode == Preflight.REFUSE && !dangers.isEmpty()) {
            Finding first = dangers.get(0);
            throw new LockUnavailableException(
                    "",
                    false,
                    "the preflight refuses this Redis: " + first.text() + " " + first.remedy()
                            + (dangers.size() > 1 ? " (and " + (dangers.size() - 1) + " more, see the log)" : ""),
                    null);
        }
    }
}
