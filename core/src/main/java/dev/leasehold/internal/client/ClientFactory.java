package dev.leasehold.internal.client;

import dev.leasehold.Leasehold;
import dev.leasehold.diagnostics.Diagnostics;
import dev.leasehold.event.LeaseholdListener;
import dev.leasehold.internal.combine.CombiningStore;
import dev.leasehold.internal.connect.ClientConfig;
import dev.leasehold.internal.connect.FoundEventLoops;
import dev.leasehold.internal.connect.LateTransport;
import dev.leasehold.internal.connect.ProcessName;
import dev.leasehold.internal.connect.QuorumConfig;
import dev.leasehold.internal.connect.ServerQueries;
import dev.leasehold.internal.connect.Transports;
import dev.leasehold.internal.engine.EngineParts;
import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.request.ServerFeatures;
import dev.leasehold.internal.script.ScriptBindings;
import dev.leasehold.internal.script.ScriptStore;
import dev.leasehold.internal.script.TokenMemory;
import dev.leasehold.internal.store.LockStore;
import dev.leasehold.internal.store.ServerClocks;
import dev.leasehold.internal.store.ServerTime;
import dev.leasehold.internal.time.SystemTime;
import dev.leasehold.internal.time.WheelTimer;
import dev.leasehold.internal.wakeup.WakeChannel;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spi.ServerDescription.Capability;
import dev.leasehold.spi.TimeSource;
import dev.leasehold.spi.Timer;
import java.security.SecureRandom;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Assembles a client: connects, reads and checks the server's clock, and starts the engine. */
public final class ClientFactory {

    private static final Logger LOG = LoggerFactory.getLogger("dev.leasehold.events");

    /** A call has keys of any slots, keeps no caller waiting for the calls of others, and runs once. */
    private static final Set<Capability> COMBINING =
            Set.of(Capability.CALLS_ACROSS_SLOTS, Capability.SHARES_CONNECTIONS, Capability.AT_MOST_ONCE);

    /** A time that no server shows any more: a request that may be sent until then is never executed. */
    private static final ServerTime NEVER = new ServerTime(1);

    private ClientFactory() {}

    /** Connects and checks; a client that may start without Redis does so later, if it must. */
    public static Leasehold open(ClientConfig config) {
        OwnedResources resources = new OwnedResources();
        try {
            Leasehold client = open(config, resources);
            started(config.listeners(), client);
            return client;
        } catch (RuntimeException | Error e) {
            resources.disposeAfter(e);
            throw e;
        }
    }

    @SuppressWarnings("CatchAndPrintStackTrace")
    private static void started(List<LeaseholdListener> listeners, Leasehold client) {
        for (LeaseholdListener listener : listeners) {
            try {
                listener.started(client.inspector(), Diagnostics.of(client));
            } catch (RuntimeException e) {
                LOG.warn("a listener threw an exception at the start of its client; nothing else is affected", e);
            }
        }
    }

    private static Leasehold open(ClientConfig config, OwnedResources resources) {
        QuorumConfig quorum = config.quorum();
        if (quorum != null) {
            return new QuorumFactory(config, quorum, resources).open();
        }
        TimeSource time = config.timeSource() == null ? new SystemTime() : config.timeSource();
        FirstContact contact = new FirstContact(config, time);
        resources.add(contact);
        return config.startsWithoutRedis()
                ? openLate(config, contact, time, resources)
                : open(config, contact.make(), time, resources);
    }

    private static LeaseholdClient open(
            ClientConfig config, FirstContact.Found redis, TimeSource time, OwnedResources resources) {
        LeaseholdClient client = client(
                config,
                redis.transport(),
                store(config, redis, time),
                redis.features(),
                time,
                timer(config, resources),
                resources);
        client.found(redis.findings());
        return client;
    }

    /** Assembles a client whose calls fail until Redis is reached, and begins to reach it. */
    private static LeaseholdClient openLate(
            ClientConfig config, FirstContact contact, TimeSource time, OwnedResources resources) {
        LateTransport transport = new LateTransport(Transports.address(config));
        resources.add(transport);
        ServerFeatures features = ServerFeatures.unknown();
        SwitchingStore store = new SwitchingStore(new ScriptStore(
                transport,
                new ScriptBindings(new TokenMemory(config.rememberTokens()), false),
                new ServerClocks(time, NEVER, time.nanoTime())));
        Timer timer = timer(config, resources);
        LeaseholdClient client = client(config, transport, store, features, time, timer, resources);
        LateStart start =
                new LateStart(contact, transport, timer, resources.callbacks(config.name() + "-start"), redis -> {
                    features.learn(redis.features());
                    client.found(redis.findings());
                    // In this order, so that no request with a time limit of the other clock is sent.
                    store.switchTo(store(config, redis, time));
                    transport.reached(redis.transport());
                    client.reached();
                });
        resources.add(start);
        try {
            start.begin(time);
        } catch (RuntimeException e) {
            client.close();
            throw e;
        }
        return client;
    }

    private static LeaseholdClient client(
            ClientConfig config,
            RedisTransport transport,
            LockStore store,
            ServerFeatures features,
            TimeSource time,
            Timer timer,
            OwnedResources resources) {
        Supplier<AcquisitionId> ids = ids();
        EngineParts parts = new EngineParts(
                store,
                time,
                timer,
                resources.renewals(config.name()),
                callbacks(config, resources),
                ids,
                () -> ThreadLocalRandom.current().nextDouble(),
                config.listeners(),
                ProcessName.get(),
                new WakeChannel(config.keyPrefix(), ids.get().value()),
                features,
                config.limits(),
                new FoundEventLoops());
        return new LeaseholdClient(config, parts, new ServerQueries(transport, config.commandTimeout()), resources);
    }

    /** Creates the store over the transport to a server that was reached. */
    private static LockStore store(ClientConfig config, FirstContact.Found redis, TimeSource time) {
        boolean countsReceivers = redis.features().include(Capability.COUNTS_RECEIVERS);
        ScriptBindings scripts = new ScriptBindings(new TokenMemory(config.rememberTokens()), countsReceivers);
        ServerClocks clocks =
                new ServerClocks(time, redis.time().time(), redis.time().sentAt());
        LockStore store = new ScriptStore(redis.transport(), scripts, clocks);
        return redis.features().includeAll(COMBINING) ? new CombiningStore(store, scripts::combines, time) : store;
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
}
