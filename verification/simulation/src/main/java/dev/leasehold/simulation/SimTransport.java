package dev.leasehold.simulation;

import dev.leasehold.simulation.trace.Answered;
import dev.leasehold.simulation.trace.Message;
import dev.leasehold.spi.ChannelListener;
import dev.leasehold.spi.DurableReply;
import dev.leasehold.spi.InvalidationListener;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.RedisNode;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spi.ScriptCall;
import dev.leasehold.spi.ServerDescription;
import dev.leasehold.spi.TransportException;
import dev.leasehold.testkit.Fate;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The transport of one client to the server: four connections, on each of which nothing overtakes. Requests travel
 * in true time, whatever the client's machine does meanwhile; replies are delivered to the machine. The testkit's
 * transport has one timer, which cannot do both.
 */
final class SimTransport implements RedisTransport {

    /** The number of connections to a server. */
    static final int CONNECTIONS = 4;

    private static final long NOTICED_NANOS = 1_000_000;
    /** In seeds that were found when callers decided about connections, one that waited for less does not break any. */
    private static final long DOUBT_NANOS = 500_000_000;

    private static final Set<String> RENEWALS = Set.of("renew", "plain_renew", "confirm");
    private static final Set<String> CONFIRMED = Set.of("renewed", "asked");

    private final World world;
    private final Machine machine;
    private final Server server;
    private final Network network;
    private final RandomGenerator random;
    private final boolean answersAtOnce;
    private final Consumer<String> denied;
    private final Connection callers;
    private final Connection lane;
    private final WaitingConnection waiting;
    private final SimTracking tracking;
    private final Connection tracked;
    private final SimSubscriptions subscriptions;
    private Function<ScriptCall, @Nullable Message> recorder = call -> null;
    private SilenceObserver silences = (asked, connection) -> {};

    /** Learns what a client does with a silent connection. */
    interface SilenceObserver {
        /** Called when a request goes over one, or one is replaced. */
        void observed(boolean asked, String connection);
    }

    SimTransport(
            World world,
            Machine machine,
            Server server,
            Network network,
            RandomGenerator random,
            RandomGenerator subscribing,
            RandomGenerator tracking,
            RandomGenerator waiting,
            boolean silenceDecides,
            boolean answersAtOnce,
            Consumer<String> denied) {
        this.world = world;
        this.machine = machine;
        this.server = server;
        this.network = network;
        this.random = random;
        this.answersAtOnce = answersAtOnce;
        this.denied = denied;
        this.subscriptions = new SimSubscriptions(world, machine, server, network, subscribing);
        LongFunction<Doubts> doubts = least -> silenceDecides ? Doubts.bySilence(machine) : Doubts.byCaller(least);
        Doubts ofTracked = doubts.apply(DOUBT_NANOS);
        this.tracking = new SimTracking(world, machine, server, network, tracking, ofTracked);
        this.callers = new Connection("callers", doubts.apply(DOUBT_NANOS), null);
        this.lane = new Connection("renewals", doubts.apply(DOUBT_NANOS), null);
        this.tracked = new Connection("tracked", ofTracked, this.tracking);
        this.waiting =
                new WaitingConnection(world, machine, server, network, waiting, doubts.apply(0), this::reportDenied);
        server.onBreak(this::breakConnections);
    }

    /** Breaks the connections: most requests under way are lost, but some that were sent may still arrive. */
    void breakConnections() {
        callers.reset();
        lane.reset();
        tracked.reset();
        waiting.reset();
        subscriptions.reset();
    }

    /** Lets nothing arrive any more over the connection of this number. */
    void silence(int connection) {
        switch (connection) {
            case 0 -> callers.silence();
            case 1 -> lane.silence();
            case 2 -> tracked.silence();
            default -> waiting.silence(silences);
        }
    }

    /** Sets what learns of the use of silent connections. */
    void silenceReportedTo(SilenceObserver observer) {
        silences = observer;
    }

    /** Ends the process; its host may be dead too, and then the server is not notified. */
    void crashed() {
        if (subscriptions.noticed()) {
            subscriptions.end();
        }
    }

    @Override
    public CompletionStage<List<String>> eval(ScriptCall call) {
        return callers.send(call);
    }

    @Override
    public List<CompletionStage<List<String>>> evalBatch(List<ScriptCall> calls) {
        List<CompletionStage<List<String>>> stages = new ArrayList<>();
        for (ScriptCall call : calls) {
            stages.add((call.script().tracked() && tracking.wanted() ? tracked : lane).send(call));
        }
        return stages;
    }

    @Override
    public List<DurableReply> evalDurably(List<ScriptCall> calls, boolean onDisk, int replicas, long withinMillis) {
        return waiting.send(calls, replicas, withinMillis);
    }

    @Override
    public void onInvalidation(InvalidationListener listener) {
        tracking.to(listener);
    }

    /** One connection; a new one after each reset. */
    private final class Connection {
        private final String name;
        private final Doubts doubts;
        private final @Nullable SimTracking tracks;
        private final List<Request> underWay = new ArrayList<>();
        private long lastArrival;
        private long lastReply;
        private boolean silent;

        /** A connection that tracks keys, if this is not null. */
        Connection(String name, Doubts doubts, @Nullable SimTracking tracks) {
            this.name = name;
            this.doubts = doubts;
            this.tracks = tracks;
        }

        void silence() {
            silent = true;
            underWay.forEach(request -> request.unanswered = true);
            if (tracks != null) {
                tracks.silence();
            }
        }

        CompletableFuture<List<String>> send(ScriptCall call) {
            if (server.down()) {
                CompletableFuture<List<String>> future = new CompletableFuture<>();
                TransportException refused = new TransportException("connection refused", false, null);
                if (answersAtOnce) {
                    future.completeExceptionally(refused);
                } else {
                    world.after(NOTICED_NANOS, () -> machine.deliver(() -> future.completeExceptionally(refused)));
                }
                return future;
            }
            boolean calm = network.calm() && !silent;
            Request request = new Request(call, this);
            if (answersAtOnce && calm && server.processesAt() == world.now()) {
                request.arrive(Fate.AT_ONCE, Way.AT_ONCE);
            } else {
                underWay.add(request);
                if (silent) {
                    silences.observed(true, name);
                } else {
                    travel(request, network.next());
                }
            }
            return request.future;
        }

        private void travel(Request request, Fate fate) {
            long arrival = world.now() + fate.requestNanos();
            if (!network.reorders()) {
                arrival = Math.max(arrival, lastArrival);
                lastArrival = arrival;
            }
            if (!fate.requestLost()) {
                world.at(arrival, () -> request.arrive(fate, Way.USUAL));
            }
            if (fate.secondCopyAfterNanos() >= 0) {
                // By a connection of its own, like a client that replays.
                world.at(arrival + fate.secondCopyAfterNanos(), () -> request.arrive(fate, Way.AGAIN));
            }
        }

        void reset() {
            List<Request> lost = List.copyOf(underWay);
            underWay.clear();
            lastArrival = 0;
            lastReply = 0;
            doubts.replaced();
            if (silent) {
                silent = false;
                silences.observed(false, name);
            }
            if (tracks != null) {
                tracks.reset();
            }
            for (Request request : lost) {
                request.dropped = random.nextBoolean();
                request.cut = true;
                TransportException failure = new TransportException("connection lost", true, null);
                world.after(
                        random.nextLong(NOTICED_NANOS),
                        () -> machine.deliver(() -> request.future.completeExceptionally(failure)));
            }
        }
    }

    /** How a request arrives. */
    private enum Way {
        /** The caller is answered before its call returns. */
        AT_ONCE,
        USUAL,
        /** It is a copy that was sent over another connection. */
        AGAIN
    }

    /** One request and its reply. */
    private final class Request {
        private final ScriptCall call;
        private final Connection connection;
        private final Doubts.Asked asked;
        private final CompletableFuture<List<String>> future;
        private final @Nullable Message message;
        private boolean dropped;
        private boolean cut;
        /** True if its connection became silent while it was under way. */
        private boolean unanswered;

        Request(ScriptCall call, Connection connection) {
            this.call = call;
            this.connection = connection;
            this.asked = connection.doubts.ask(call.timeoutNanos(), connection::reset);
            this.future = new Doubts.Stage<>(asked);
            this.message = recorder.apply(call);
        }

        void arrive(Fate fate, Way way) {
            if (dropped || server.down()) {
                return;
            }
            if (server.processesAt() > world.now()) {
                world.at(server.processesAt(), () -> arrive(fate, way));
                return;
            }
            List<String> reply = null;
            RedisErrorException error = null;
            String result;
            try {
                reply = server.run(call, connection.tracks == null ? null : connection.tracks.connection());
                result = reply.get(0).split(" ", 2)[0];
            } catch (RedisErrorException e) {
                error = e;
                result = e.code();
            }
            if (message != null) {
                message.arrived(world.now(), result);
            }
            answer(fate, way, reply, error);
        }

        private void answer(Fate fate, Way way, @Nullable List<String> reply, @Nullable RedisErrorException error) {
            if (way == Way.AT_ONCE) {
                settle(way, reply, error);
                return;
            }
            if (fate.replyLost() || unanswered) {
                return;
            }
            long at = world.now() + fate.replyNanos();
            if (!network.reorders()) {
                at = Math.max(at, connection.lastReply);
                connection.lastReply = at;
            }
            world.at(at, () -> {
                if (!cut && !unanswered) {
                    connection.underWay.remove(this);
                    machine.deliver(() -> settle(way, reply, error));
                }
            });
        }

        private void settle(Way way, @Nullable List<String> reply, @Nullable RedisErrorException error) {
            if (way != Way.AGAIN) {
                asked.answered();
            }
            if (future.isDone()) {
                return;
            }
            if (message != null) {
                message.answered(world.now());
            }
            if (reply == null) {
                future.completeExceptionally(error);
                return;
            }
            reportDenied(call, reply);
            future.complete(reply);
        }
    }

    /** Reports the ids of the holds that do not exist according to Redis. */
    private void reportDenied(ScriptCall call, List<String> reply) {
        for (Answered one : Answered.each(call, reply)) {
            if (RENEWALS.contains(one.script()) && !CONFIRMED.contains(one.word())) {
                denied.accept(one.id());
            }
        }
    }

    /** Sets what records each request when it is sent. */
    void recordedBy(Function<ScriptCall, @Nullable Message> messages) {
        recorder = messages;
    }

    /** Sets who learns of each message before its listener does. */
    void heardBy(Consumer<String> observer) {
        subscriptions.heardBy(observer);
    }

    @Override
    public CompletionStage<AutoCloseable> subscribe(String channel, ChannelListener listener) {
        return subscriptions.subscribe(channel, listener);
    }

    @Override
    public CompletionStage<ServerDescription> describe() {
        throw new UnsupportedOperationException("the engine is assembled without a preflight");
    }

    @Override
    public CompletionStage<@Nullable Object> command(@Nullable RedisNode node, List<String> args) {
        throw new UnsupportedOperationException("the engine is assembled without a preflight");
    }

    @Override
    public void close() {}
}
