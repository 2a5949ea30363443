package dev.leasehold.internal.redis.server;

import dev.leasehold.internal.redis.path.Failures;
import dev.leasehold.internal.redis.path.Scheduler;
import dev.leasehold.internal.redis.shared.Subscriptions;
import dev.leasehold.spi.ChannelListener;
import dev.leasehold.spi.ConnectorInfo;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.RedisNode;
import dev.leasehold.spi.ScriptCall;
import dev.leasehold.spi.ServerDescription;
import dev.leasehold.spi.ServerDescription.Capability;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** One server alone, or whichever is the primary at the time. */
public final class SingleServer implements Servers {

    private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final String SWITCHED = "another server is the primary";

    private final Server server;
    private final Subscriptions subscriptions;
    private final Scheduler scheduler;
    private final AtomicLong lastSwitch;

    /** Opens nothing yet. */
    public SingleServer(Server server, ConnectorInfo info, Scheduler scheduler) {
        this.server = server;
        this.scheduler = scheduler;
        subscriptions = new Subscriptions(
                server.route(), Subscriptions.Kind.PLAIN, info.connectTimeout().toNanos(), scheduler);
        lastSwitch = new AtomicLong(scheduler.nanoTime() - INTERVAL_NANOS);
    }

    /** Another server has become the primary: all connections to the last are given up, though it may still answer. */
    public void switched() {
        lastSwitch.set(scheduler.nanoTime());
        server.restart(SWITCHED);
        subscriptions.restart(SWITCHED);
    }

    /**
     * A server that takes no writes was a primary once: behind its name, or for the Sentinels, there may be another by
     * now. If there is none, the client does not try to connect for every call.
     */
    @Override
    public @Nullable Detour redirect(RedisErrorException refusal, Server by) {
        long last = lastSwitch.get();
        long now = scheduler.nanoTime();
        if (Failures.isFormerPrimary(refusal) && now - last >= INTERVAL_NANOS && lastSwitch.compareAndSet(last, now)) {
            switched();
        }
        return null;
    }

    @Override
    public String address() {
        return server.address();
    }

    @Override
    public Server serverOf(ScriptCall call) {
        return server;
    }

    @Override
    public Server serverOf(String key) {
        return server;
    }

    @Override
    public @Nullable Server find(RedisNode node) {
        return server.node(node.primary()).equals(node) ? server : null;
    }

    @Override
    public CompletionStage<@Nullable Object> command(List<String> args) {
        return server.command(args);
    }

    /** PUBLISH counts all subscribers, and a call may have any keys. */
    @Override
    public CompletionStage<ServerDescription> describe(Set<Capability> capabilities) {
        Set<Capability> all = EnumSet.of(Capability.COUNTS_RECEIVERS, Capability.CALLS_ACROSS_SLOTS);
        all.addAll(capabilities);
        return server.describe(all);
    }

    @Override
    public CompletionStage<AutoCloseable> subscribe(String channel, ChannelListener listener) {
        return subscriptions.subscribe(channel, listener);
    }

    @Override
    public String shardOf(String key) {
        return "";
    }

    @Override
    public void close(String reason) {
        server.close(reason);
        subscriptions.close(reason);
    }
}
