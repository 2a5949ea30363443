package dev.leasehold.tck;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * A TCP proxy before a Redis server that fails like networks do, on command. It listens on a free port of the
 * loopback address and forwards everything until told otherwise. It parses the traffic (RESP2 and RESP3), so that a
 * fault can apply to one request, or to the reply to it. Through TLS, which it cannot read, only delaying, holding,
 * swallowing and the faults of whole connections work.
 *
 * <p>Every method that sets a fault returns when it is in force, for all connections, open and new. Thread-safe;
 * but a predicate runs on the proxy's own thread and must not call the proxy.
 *
 * <pre>{@code
 * try (FaultProxy proxy = FaultProxy.before(redis.uri())) {
 *     connect(proxy.uri());
 *     Fault lost = proxy.matching(request -> request.startsWith("EVALSHA")).dropNextReplyThenReset();
 *     ...
 *     await().until(() -> lost.count() == 1);
 * }
 * }</pre>
 */
public final class FaultProxy implements AutoCloseable {

    private static final int DEFAULT_PORT = 6379;

    private final URI targetUri;
    private final InetSocketAddress target;
    private final ProxyState state = new ProxyState();
    private final ProxyLoop loop;

    private FaultProxy(URI targetUri) {
        this.targetUri = targetUri;
        int port = targetUri.getPort() < 0 ? DEFAULT_PORT : targetUri.getPort();
        this.target = new InetSocketAddress(targetUri.getHost(), port);
        try {
            this.loop = new ProxyLoop(state, target);
        } catch (IOException e) {
            throw new UncheckedIOException("The fault proxy found no port to listen on", e);
        }
    }

    /**
     * Starts a proxy before the server of this URI, {@code redis://} or {@code rediss://}.
     *
     * @throws IllegalArgumentException if the URI names no host
     */
    public static FaultProxy before(String redisUri) {
        URI uri = URI.create(redisUri);
        if (uri.getHost() == null) {
            throw new IllegalArgumentException("A fault proxy needs the URI of one server, with a host.");
        }
        return new FaultProxy(uri);
    }

    /** Starts a proxy before this port of the loopback address. */
    public static FaultProxy before(int port) {
        return before("redis://127.0.0.1:" + port);
    }

    /**
     * Returns the URI for clients: the URI of the server, login and database included, with the proxy's host and
     * port.
     */
    public String uri() {
        String login = targetUri.getRawUserInfo() == null ? "" : targetUri.getRawUserInfo() + "@";
        String path = targetUri.getRawPath() == null ? "" : targetUri.getRawPath();
        String query = targetUri.getRawQuery() == null ? "" : "?" + targetUri.getRawQuery();
        return targetUri.getScheme() + "://" + login + host() + ":" + port() + path + query;
    }

    /** Returns the loopback address on which the proxy listens. */
    public String host() {
        return "127.0.0.1";
    }

    /** Returns the port on which the proxy listens; it never changes. */
    public int port() {
        return loop.port();
    }

    /**
     * Returns the faults of single requests whose text satisfies the predicate. The text is the words of the
     * request with a space between, such as {@code SET key value}.
     */
    public FaultSelection matching(Predicate<String> request) {
        return new FaultSelection((kind, times) -> {
            Fault fault = new Fault(kind, request, times);
            change(() -> state.plan().add(fault));
            return fault;
        });
    }

    /** Returns the faults of single requests, for any request. Messages, which answer no request, are held too. */
    public FaultSelection matchingAll() {
        return matching(request -> true);
    }

    /** Calls {@link FaultSelection#dropNextReply()} for any request; see there why a client may not survive it. */
    public Fault dropNextReply() {
        return matchingAll().dropNextReply();
    }

    /** Calls {@link FaultSelection#duplicateNextRequest()} for any request. */
    public Fault duplicateNextRequest() {
        return matchingAll().duplicateNextRequest();
    }

    /** Calls {@link FaultSelection#holdReplies()} for any request, and for messages. */
    public Fault holdReplies() {
        return matchingAll().holdReplies();
    }

    /** Calls {@link FaultSelection#holdRequests()} for any request. */
    public Fault holdRequests() {
        return matchingAll().holdRequests();
    }

    /** Releases held replies, and holds none any more. */
    public void releaseReplies() {
        release(Fault.Kind.HOLD_REPLY, Direction.TO_CLIENT);
    }

    /** Releases held requests, and holds none any more. */
    public void releaseRequests() {
        release(Fault.Kind.HOLD_REQUEST, Direction.TO_SERVER);
    }

    private void release(Fault.Kind kind, Direction direction) {
        change(() -> {
            state.plan().cancel(kind);
            loop.links().forEach(link -> link.pipe(direction).release());
        });
    }

    /**
     * Discards the bytes of this direction from now on while connections stay open. A connection that lost bytes
     * stays silent in this direction for good; {@link #heal()} resets it.
     */
    public void swallow(Direction direction) {
        change(() -> state.plan().swallow(direction));
    }

    /** Discards the bytes of both directions, like {@link #swallow(Direction)}. */
    public void swallow() {
        swallow(Direction.TO_SERVER);
        swallow(Direction.TO_CLIENT);
    }

    /**
     * Delays all bytes of this direction by this time from now on; zero ends the delay.
     *
     * @throws IllegalArgumentException if the time is negative
     */
    public void delay(Direction direction, Duration time) {
        if (time.isNegative()) {
            throw new IllegalArgumentException("A delay cannot be negative: " + time);
        }
        change(() -> state.plan().delay(direction, time.toNanos()));
    }

    /** Resets (RST) all connections, on both sides. Held or delayed bytes are lost. */
    public void reset() {
        change(() -> loop.links().forEach(link -> link.close(true)));
    }

    /** Ends (FIN) all connections, on both sides. Held or delayed bytes are lost. */
    public void cut() {
        change(() -> loop.links().forEach(link -> link.close(false)));
    }

    /** Stops listening: new connections are refused, open ones continue. */
    public void refuse() {
        change(loop::stopListening);
    }

    /**
     * Ends every fault: listens, and holds, delays and swallows nothing. Sends the held or delayed bytes, resets
     * the connections that have lost bytes, and discards recorded requests.
     */
    public void heal() {
        change(() -> {
            state.plan().clear();
            state.forgetRecorded();
            loop.listen();
            long now = System.nanoTime();
            for (ProxyLink link : loop.links()) {
                if (link.hasLostBytes()) {
                    link.close(true);
                }
                for (Direction direction : Direction.values()) {
                    link.pipe(direction).release();
                    link.pipe(direction).hurry(now);
                }
            }
        });
    }

    /**
     * Sends every recorded request once more, as a late duplicate: each over a new connection, after the AUTH,
     * HELLO and SELECT of its original connection. They remain recorded.
     *
     * @return the replies as RESP, in the order of recording
     */
    public List<String> replayRecorded() {
        return loop.call(state::recorded).stream()
                .map(recorded -> ProxyReplay.send(target, recorded))
                .toList();
    }

    /** Returns the number of connections that clients have opened so far. */
    public long connectionsOpened() {
        return state.counters().connections();
    }

    /** Returns the number of connections that clients have open now. */
    public int connectionsOpen() {
        return loop.call(
                () -> (int) loop.links().stream().filter(ProxyLink::hasClient).count());
    }

    /** Returns the number of bytes received in this direction so far, whatever their fate. */
    public long bytes(Direction direction) {
        return state.counters().bytes(direction);
    }

    /**
     * Returns the number of requests of each command, in capitals, that clients have sent so far, whatever their
     * fate.
     */
    public Map<String, Long> requestCounts() {
        return state.counters().requests();
    }

    /** Returns the number of requests of this command, in capitals, that clients have sent so far. */
    public long requests(String command) {
        return requestCounts().getOrDefault(command, 0L);
    }

    /**
     * Returns the number of requests, or replies and messages, that are held now. Those that only wait behind a
     * held one are not counted.
     */
    public int held(Direction direction) {
        return loop.call(() -> loop.links().stream()
                .mapToInt(link -> link.pipe(direction).held())
                .sum());
    }

    /**
     * Stops listening and resets all connections. Idempotent.
     *
     * @throws IllegalStateException if a predicate given to the proxy had failed
     */
    @Override
    public void close() {
        loop.close();
    }

    private void change(Runnable action) {
        loop.call(() -> {
            action.run();
            return true;
        });
    }
}
