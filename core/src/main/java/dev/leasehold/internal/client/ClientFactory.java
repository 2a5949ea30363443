package dev.leasehold.internal.client;

import dev.leasehold.Leasehold;
import dev.leasehold.LeaseholdBuilder.Preflight;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.inspect.Finding;
import dev.leasehold.internal.check.PreflightCheck;
import dev.leasehold.internal.combine.CombiningStore;
import dev.leasehold.internal.connect.ClientConfig;
import dev.leasehold.internal.connect.FoundEventLoops;
import dev.leasehold.internal.connect.ProcessName;
import dev.leasehold.internal.connect.QuorumConfig;
import dev.leasehold.internal.connect.ServerQueries;
import dev.leasehold.internal.connect.Transports;
import dev.leasehold.internal.engine.EngineParts;
import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.Names;
import dev.leasehold.internal.request.RefusalAdvice;
import dev.leasehold.internal.script.Retention;
import dev.leasehold.internal.script.ScriptBindings;
import dev.leasehold.internal.script.ScriptStore;
import dev.leasehold.internal.store.LockStore;
import dev.leasehold.internal.store.ServerClocks;
import dev.leasehold.internal.time.SystemTime;
import dev.leasehold.internal.time.WheelTimer;
import dev.leasehold.internal.wakeup.WakeChannel;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spi.ServerDescription;
import dev.leasehold.spi.ServerDescription.Capability;
import dev.leasehold.spi.TimeSource;
import dev.leasehold.spi.Timer;
import java.security.SecureRandom;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Assembles a client: connects, reads and checks the server's clock, and starts the engine. */
public final class ClientFactory {

    private static final Logger LOG = LoggerFactory.getLogger("dev.leasehold.preflight");

    private static final String FINDING = "{}: {} {}";

    /** A call has keys of any slots, keeps no caller waiting for the calls of others, and runs once. */
    private static final Set<Capability> COMBINING =
            Set.of(Capability.CALLS_ACROSS_SLOTS, Capability.SHARES_CONNECTIONS, Capability.AT_MOST_ONCE);

    private ClientFactory() {}

    /** Connects and checks. */
    public static Leasehold open(ClientConfig config) {
        OwnedResources resources = new OwnedResources();
        try {
            return open(config, resources);
        } catch (RedisErrorException e) {
            LockUnavailableException refused = new LockUnavailableException(
                    "",
                    false,
                    "Redis refused a command that every client needs at start: "
                            + Names.escape(String.valueOf(e.getMessage())) + ". "
                            + RefusalAdvice.of(
                                    e, "Grant the user +time; docs/operations.md lists all commands that are needed"),
                    e);
            resources.disposeAfter(refused);
            throw refused;
        } catch (RuntimeException | Error e) {
            resources.disposeAfter(e);
            throw e;
        }
    }

    private static Leasehold open(ClientConfig config, OwnedResources resources) {
        QuorumConfig quorum = config.quorum();
        if (quorum != null) {
            return new QuorumFactory(config, quorum, resources).open();
        }
        RedisTransport transport = config.transport();
        if (transport == null) {
            transport = Transports.open(config);
        }
        resources.add(transport);
        TimeSource time = config.timeSource() == null ? new SystemTime() : config.timeSource();
        ServerQueries connecting = new ServerQueries(transport, config.timeoutOfConnecting());
        ServerDescription description = connecting.describe();
        Set<Capability> capabilities = description.capabilities();
        LockStore store = store(connecting, capabilities, time, config);
        EngineParts parts = engineParts(store, description.version(), capabilities, time, config, resources);
        ServerQueries queries = new ServerQueries(transport, config.commandTimeout());
        LeaseholdClient client = new LeaseholdClient(config, parts, queries, resources);
        try {
            client.checkDefaults();
            preflight(config.preflight(), client::preflight, PreflightCheck::forbidsLocks);
        } catch (RuntimeException e) {
            client.close();
            throw e;
        }
        return client;
    }

    /** Collects what the engine needs. */
    private static EngineParts engineParts(
            LockStore store,
            String serverVersion,
            Set<Capability> capabilities,
            TimeSource time,
            ClientConfig config,
            OwnedResources resources) {
        Supplier<AcquisitionId> ids = ids();
        WakeChannel wakeChannel = new WakeChannel(config.keyPrefix(), ids.get().value());
        return new EngineParts(
                store,
                time,
                timer(config, resources),
                resources.renewals(config.name()),
                callbacks(config, resources),
                ids,
                () -> ThreadLocalRandom.current().nextDouble(),
                config.listeners(),
                ProcessName.get(),
                wakeChannel,
                serverVersion,
                capabilities,
                config.limits(),
                new FoundEventLoops());
    }

    /** Reads the server's clock, and creates the store over the transport. */
    private static LockStore store(
            ServerQueries queries, Set<Capability> capabilities, TimeSource time, ClientConfig config) {
        boolean countsReceivers = capabilities.contains(Capability.COUNTS_RECEIVERS);
        ScriptBindings scripts = new ScriptBindings(new Retention(config.retention()), countsReceivers);
        ServerQueries.TimeSample sample = queries.time(time);
        ServerClocks clocks = new ServerClocks(time, sample.time(), sample.sentAt());
        LockStore store = new ScriptStore(queries.transport(), scripts, clocks);
        return capabilities.containsAll(COMBINING) ? new CombiningStore(store, scripts::combines, time) : store;
    }

    /** Assembles a client from given parts, and closes the transport beneath them with it; nothing is sent or checked. */
    public static Leasehold assemble(ClientConfig config, RedisTransport transport, EngineParts parts) {
        OwnedResources resources = new OwnedResources();
        resources.add(transport);
        ServerQueries queries = new ServerQueries(transport, config.commandTimeout());
        return new LeaseholdClient(config, parts, queries, resources);
    }

    static Supplier<AcquisitionId> ids() {
        SecureRandom random = new SecureRandom();
        return () -> AcquisitionId.next(random);
    }

    static Timer timer(ClientConfig config, OwnedResources resources) {
        Timer given = config.timer();
        if (given != null) {
            return given;
        }
        Timer own = new WheelTimer(config.name() + "-timer");
        resources.add(own);
        return own;
    }

    static Executor callbacks(ClientConfig config, OwnedResources resources) {
        Executor given = config.eventExecutor();
        return given != null ? given : resources.callbacks(config.name());
    }

    /**
     * Runs the checks before the first use.
     *
     * @param fatal what is refused even if dangers are only logged
     */
    static void preflight(Preflight mode, Supplier<List<Finding>> diagnosis, Predicate<Finding> fatal) {
        if (mode == Preflight.OFF) {
            return;
        }
        List<Finding> findings = diagnosis.get();
        findings.forEach(ClientFactory::log);
        List<Finding> refused = findings.stream()
                .filter(mode == Preflight.REFUSE ? ClientFactory::isDanger : fatal)
                .toList();
        if (!refused.isEmpty()) {
            Finding first = refused.get(0);
            throw new LockUnavailableException(
                    "",
                    false,
                    "the preflight refuses this Redis: " + first.text() + " " + first.remedy()
                            + (refused.size() > 1 ? " (and " + (refused.size() - 1) + " more, see the log)" : ""),
                    null);
        }
    }

    private static boolean isDanger(Finding finding) {
        return finding.level() == Finding.Level.DANGER;
    }

    /** A danger may cost a lock. A warning may be what the operator chose, such as a server without an append-only file. */
    private static void log(Finding finding) {
        switch (finding.level()) {
            case DANGER -> LOG.warn(FINDING, finding.subject(), finding.text(), finding.remedy());
            case WARNING -> LOG.info(FINDING, finding.subject(), finding.text(), finding.remedy());
            case FINE -> LOG.debug(FINDING, finding.subject(), finding.text(), finding.remedy());
        }
    }
}
