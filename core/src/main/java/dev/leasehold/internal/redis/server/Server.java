package dev.leasehold.internal.redis.server;

import dev.leasehold.internal.redis.path.CommandPath;
import dev.leasehold.internal.redis.path.Failures;
import dev.leasehold.internal.redis.path.Invalidations;
import dev.leasehold.internal.redis.path.PathFactory;
import dev.leasehold.internal.redis.path.Scheduler;
import dev.leasehold.internal.redis.path.ServerRoute;
import dev.leasehold.internal.redis.path.TextCommand;
import dev.leasehold.internal.redis.shared.Subscriptions;
import dev.leasehold.spi.ChannelListener;
import dev.leasehold.spi.ConnectionPurpose;
import dev.leasehold.spi.ConnectorInfo;
import dev.leasehold.spi.PushListener;
import dev.leasehold.spi.RedisAddress;
import dev.leasehold.spi.RedisConnection;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.RedisNode;
import dev.leasehold.spi.Script;
import dev.leasehold.spi.ServerDescription;
import dev.leasehold.spi.ServerDescription.Capability;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One server with the paths to it. Each connects at its first use, and shares nothing with another server, so that one
 * which does not answer holds up nothing but its own calls.
 */
public final class Server {

    private static final String OF_THIS_USER = "NOPERM this user";

    private final ServerRoute route;
    private final CommandPath calls;
    private final CommandPath batches;
    private final CommandPath tracked;
    private final CommandPath durable;
    private final CommandPath inspection;
    private final Set<CommandPath> all;
    private final Subscriptions ofShard;
    private final Invalidations invalidations;
    private final long inspectionTimeoutNanos;
    private final @Nullable String user;
    private final @Nullable RedisAddress fixed;
    private final Leg firstCall = Leg.first(this, Way.CALL);
    private final Leg firstOfBatch = Leg.first(this, Way.BATCH);
    private final Leg firstInspection = Leg.first(this, Way.INSPECTION);
    private final Leg firstDurable = Leg.first(this, Way.DURABLE).withSource();
    private volatile @Nullable RedisAddress last;
    private volatile Consumer<Server> onTrouble = server -> {};

    /**
     * Opens nothing yet.
     *
     * @param fixed its address; null if only a connection tells it
     */
    public Server(
            ServerRoute route,
            @Nullable RedisAddress fixed,
            ConnectorInfo info,
            PathFactory paths,
            Invalidations invalidations,
            Scheduler scheduler) {
        this.route = new ObservedRoute(route);
        this.fixed = fixed;
        this.invalidations = invalidations;
        calls = paths.calls(this.route);
        batches = paths.batches(this.route);
        tracked = paths.tracked(this.route);
        durable = paths.durable(this.route);
        inspection = paths.inspection(this.route, calls);
        all = new LinkedHashSet<>(List.of(calls, batches, tracked, durable, inspection));
        long connectTimeoutNanos = info.connectTimeout().toNanos();
        ofShard = new Subscriptions(this.route, Subscriptions.Kind.OF_SHARD, connectTimeoutNanos, scheduler);
        user = info.user();
        inspectionTimeoutNanos =
                Math.max(connectTimeoutNanos, info.commandTimeout().toNanos());
    }

    /** The first sending of a call over a path. */
    Leg first(Way way) {
        return switch (way) {
            case CALL -> firstCall;
            case BATCH -> firstOfBatch;
            case INSPECTION -> firstInspection;
            case DURABLE -> firstDurable;
        };
    }

    /** Sets what is called when a connection was lost or could not be opened. */
    public void onTrouble(Consumer<Server> action) {
        onTrouble = action;
    }

    /** Sets what is called for each channel whose slot moves to another server. */
    public void onGone(Consumer<String> action) {
        ofShard.onGone(action);
    }

    /** Returns where it is, for messages. */
    public String address() {
        return route.address();
    }

    /** Returns its address: the given one, else that of the last connection. */
    public RedisAddress endpoint() {
        RedisAddress known = fixed == null ? last : fixed;
        return known == null ? new RedisAddress(address(), 0) : known;
    }

    /** Returns the way to it, for subscriptions. */
    public ServerRoute route() {
        return route;
    }

    /** Returns the path for a call of a script. */
    CommandPath path(Way way, Script script) {
        return switch (way) {
            case CALL -> calls;
            case BATCH -> script.tracked() && invalidations.wanted() ? tracked : batches;
            case INSPECTION -> inspection;
            case DURABLE -> durable;
        };
    }

    /** Returns the path for whatever is sent in batches. */
    public CommandPath batches() {
        return batches;
    }

    /** Opens the connections now that every client needs. */
    public CompletionStage<?> open() {
        CompletionStage<?> batching = batches.open();
        return CompletableFuture.allOf(calls.open().toCompletableFuture(), batching.toCompletableFuture());
    }

    /** Returns whether a connection is open. */
    public boolean isConnected() {
        return batches.isConnected() || calls.isConnected();
    }

    /** Runs any command; one that lists keys on the path for inspection. Blocks if the connector does. */
    public CompletionStage<@Nullable Object> command(List<String> args) {
        TextCommand command = new TextCommand(args, this::named);
        ("SCAN".equalsIgnoreCase(args.get(0)) ? inspection : calls).send(command, inspectionTimeoutNanos);
        return command;
    }

    /** Returns a refusal with the name of the user in it, as Redis says it from version 7.2 on. */
    RedisErrorException named(RedisErrorException refusal) {
        String text = String.valueOf(refusal.getMessage());
        return user != null && text.startsWith(OF_THIS_USER)
                ? new RedisErrorException("NOPERM User " + user + text.substring(OF_THIS_USER.length()))
                : refusal;
    }

    /**
     * Reads INFO, or HELLO if Redis refuses that; all is unknown if it refuses both, which the preflight reports. Fails if the
     * server wants a password.
     */
    public CompletionStage<ServerInfo> info() {
        CompletionStage<ServerInfo> info = ask("INFO").thenApply(reply -> ServerInfo.parse(String.valueOf(reply)));
        return unlessRefused(
                info,
                () -> unlessRefused(
                        ask("HELLO").thenApply(ServerInfo::ofHello),
                        () -> CompletableFuture.completedFuture(ServerInfo.UNKNOWN)));
    }

    private CompletionStage<ServerInfo> unlessRefused(
            CompletionStage<ServerInfo> reply, Supplier<CompletionStage<ServerInfo>> instead) {
        return reply.<CompletionStage<ServerInfo>>handle((info, failure) -> {
                    if (failure == null) {
                        return CompletableFuture.completedFuture(info);
                    }
                    RuntimeException reason = Failures.of(failure, false, address());
                    if (reason instanceof RedisErrorException refusal && !refusal.refusesCredentials()) {
                        return instead.get();
                    }
                    throw reason;
                })
                .thenCompose(stage -> stage);
    }

    private TextCommand ask(String word) {
        TextCommand command = new TextCommand(List.of(word));
        batches.send(command, inspectionTimeoutNanos);
        return command;
    }

    /** Describes this server alone. */
    public CompletionStage<ServerDescription> describe(Set<Capability> capabilities) {
        return Failures.bare(info().thenApply(info -> {
            Set<Capability> all = EnumSet.copyOf(capabilities);
            all.addAll(info.capabilities());
            if (!info.tracksKeys()) {
                all.remove(Capability.TRACKS_KEYS);
            }
            return new ServerDescription(info.version(), List.of(node(info.primary())), all);
        }));
    }

    RedisNode node(boolean primary) {
        RedisAddress at = endpoint();
        return new RedisNode(at.host(), at.port(), primary);
    }

    /** Subscribes to a channel of this server's shard, over a connection kept for these. */
    public CompletionStage<AutoCloseable> subscribeOnShard(String channel, ChannelListener listener) {
        return ofShard.subscribe(channel, listener);
    }

    /** Reopens the connection for channels of its shard, if it is open. */
    public void abandonSubscriptions() {
        ofShard.abandon();
    }

    /** Gives up all connections for commands, and opens others. */
    void restart(String reason) {
        all.forEach(path -> path.restart(reason));
    }

    /** Closes all connections; what is in flight and what comes later fails. Does not block. */
    public void close(String reason) {
        all.forEach(path -> path.close(reason));
        ofShard.close(reason);
    }

    @Override
    public String toString() {
        return address();
    }

    /** Remembers where the last connection led, and reports trouble. */
    private final class ObservedRoute implements ServerRoute {
        private final ServerRoute actual;

        ObservedRoute(ServerRoute actual) {
            this.actual = actual;
        }

        @Override
        public String address() {
            return actual.address();
        }

        @Override
        public CompletionStage<RedisConnection> connect(
                ConnectionPurpose purpose, PushListener listener, long timeoutNanos) {
            return actual.connect(purpose, listener, timeoutNanos).thenApply(connection -> {
                last = connection.server();
                return connection;
            });
        }

        @Override
        public void troubled() {
            onTrouble.accept(Server.this);
        }
    }
}
