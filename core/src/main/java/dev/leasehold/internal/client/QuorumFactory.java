package dev.leasehold.internal.client;

import dev.leasehold.Leasehold;
import dev.leasehold.internal.check.PreflightCheck;
import dev.leasehold.internal.connect.ClientConfig;
import dev.leasehold.internal.connect.FoundEventLoops;
import dev.leasehold.internal.connect.ProcessName;
import dev.leasehold.internal.connect.QuorumConfig;
import dev.leasehold.internal.connect.Transports;
import dev.leasehold.internal.engine.Engine;
import dev.leasehold.internal.engine.EngineParts;
import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.quorum.Node;
import dev.leasehold.internal.quorum.QuorumParts;
import dev.leasehold.internal.quorum.QuorumStore;
import dev.leasehold.internal.request.ServerFeatures;
import dev.leasehold.internal.script.QuorumRequest;
import dev.leasehold.internal.store.LeaseSpan;
import dev.leasehold.internal.time.SystemTime;
import dev.leasehold.internal.wakeup.WakeChannel;
import dev.leasehold.spi.ConnectionSettings;
import dev.leasehold.spi.RedisServer;
import dev.leasehold.spi.ServerDescription.Capability;
import dev.leasehold.spi.TimeSource;
import dev.leasehold.spi.Timer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;

/** Assembles a client of several servers. */
final class QuorumFactory {

    private static final long MIN_DRIFT_NANOS = 2_000_000;
    private static final long DRIFT_DIVISOR = 100;

    private final ClientConfig config;
    private final QuorumConfig quorum;
    private final OwnedResources resources;

    QuorumFactory(ClientConfig config, QuorumConfig quorum, OwnedResources resources) {
        this.config = config;
        this.quorum = quorum;
        this.resources = resources;
    }

    Leasehold open() {
        TimeSource given = config.timeSource();
        TimeSource time = given == null ? new SystemTime() : given;
        DoubleSupplier jitter = () -> ThreadLocalRandom.current().nextDouble();
        Timer timer = ClientFactory.timer(config, resources);
        Executor threads = resources.callbacks(config.name() + "-quorum");
        QuorumParts parts = new QuorumParts(
                time,
                timer,
                threads,
                jitter,
                QuorumRequest.marker(config.keyPrefix()),
                longest(),
                quorum.nodeTimeout().toNanos(),
                config.commandTimeout().toNanos());
        List<Node> nodes = new ArrayList<>();
        for (String uri : quorum.uris()) {
            nodes.add(new Node(nodes.size(), address(uri), parts));
        }
        QuorumStore store = new QuorumStore(nodes, parts);
        QuorumConnector connector = new QuorumConnector(config, quorum, nodes, parts);
        resources.add(store);
        resources.add(connector::close);
        connector.connect(config.startsWithoutRedis());
        Engine engine = new Engine(engineParts(store, time, timer, jitter));
        Shutdown shutdown = new Shutdown(config.commandTimeout(), time, engine, engine.candidates(), resources);
        QuorumClient client = new QuorumClient(config, engine, shutdown, nodes, parts);
        if (config.startsWithoutRedis()) {
            return client;
        }
        try {
            // A server that runs no scripts does not count, like one that does not answer.
            FirstContact.check(config.preflight(), client::preflight, PreflightCheck::neverSafe, new FindingLog());
        } catch (RuntimeException e) {
            client.close();
            throw e;
        }
        return client;
    }

    /** Returns the longest time that a hold may last on a server, measured by the clock of another server. */
    private LeaseSpan longest() {
        long lease = config.maxLeaseTime().toNanos();
        return new LeaseSpan(lease + lease / DRIFT_DIVISOR + MIN_DRIFT_NANOS);
    }

    private EngineParts engineParts(QuorumStore store, TimeSource time, Timer timer, DoubleSupplier jitter) {
        Supplier<AcquisitionId> ids = ClientFactory.ids();
        return new EngineParts(
                store,
                time,
                timer,
                resources.renewals(config.name()),
                ClientFactory.callbacks(config, resources),
                ids,
                jitter,
                config.listeners(),
                ProcessName.get(),
                new WakeChannel(config.keyPrefix(), ids.get().value()),
                ServerFeatures.of("", Set.of(Capability.AT_MOST_ONCE)),
                config.limits(),
                new FoundEventLoops());
    }

    private String address(String uri) {
        ConnectionSettings settings = Transports.settings(config, uri);
        if (RedisServer.areSeveralNamedIn(settings.uri())) {
            throw new IllegalArgumentException(
                    settings.address()
                            + " cannot be a server of a quorum: it names several. Give independent standalone primaries, each once");
        }
        return settings.address();
    }
}
