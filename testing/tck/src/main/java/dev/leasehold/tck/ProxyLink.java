package dev.leasehold.tck;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** One connection of a client with the proxy's own connection to the server. Used on the proxy's thread only. */
final class ProxyLink {

    private static final byte TLS_HANDSHAKE = 0x16;

    private final ProxyState proxy;
    private final SocketChannel client;
    private final SocketChannel server;
    private final SelectionKey clientKey;
    private final SelectionKey serverKey;
    private final ProxyPipe toServer;
    private final ProxyPipe toClient;
    private final RespFrames requests = new RespFrames();
    private final RespFrames replies = new RespFrames();
    private final ReplyPairing pairing = new ReplyPairing();
    private final List<byte[]> login = new ArrayList<>();
    private final Set<Direction> lossy = EnumSet.noneOf(Direction.class);
    private final Set<Direction> ended = EnumSet.noneOf(Direction.class);
    private boolean begun;
    private boolean opaque;

    ProxyLink(ProxyState proxy, SocketChannel client, Selector selector) throws IOException {
        this.proxy = proxy;
        this.client = client;
        this.server = SocketChannel.open();
        for (SocketChannel channel : List.of(client, server)) {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        }
        this.toServer = new ProxyPipe(server);
        this.toClient = new ProxyPipe(client);
        toClient.open();
        this.clientKey = client.register(selector, SelectionKey.OP_READ, this);
        this.serverKey = server.register(selector, SelectionKey.OP_CONNECT, this);
    }

    /** Begins to connect; if no process listens there, the client's connection is reset. */
    void connect(InetSocketAddress target) {
        try {
            if (server.connect(target)) {
                toServer.open();
            }
        } catch (IOException refused) {
            close(true);
        }
    }

    void ready(SelectionKey key, ByteBuffer buffer) {
        try {
            if (key.isValid() && key.isConnectable()) {
                server.finishConnect();
                toServer.open();
            }
            if (key.isValid() && key.isReadable()) {
                read(key == clientKey ? Direction.TO_SERVER : Direction.TO_CLIENT, buffer);
            }
        } catch (IOException notConnected) {
            close(true);
        }
    }

    private void read(Direction direction, ByteBuffer buffer) throws IOException {
        SocketChannel source = direction == Direction.TO_SERVER ? client : server;
        buffer.clear();
        int count = readSafely(source, buffer);
        if (count < 0) {
            ended.add(direction);
        } else {
            proxy.counters().bytes(direction, count);
        }
        if (isLost(direction)) {
            return;
        }
        if (count < 0) {
            pipe(direction).putEnd(due(direction));
            return;
        }
        buffer.flip();
        if (direction == Direction.TO_SERVER) {
            readRequests(buffer);
        } else {
            readReplies(buffer);
        }
    }

    private static int readSafely(SocketChannel source, ByteBuffer buffer) {
        try {
            return source.read(buffer);
        } catch (IOException reset) {
            return -1;
        }
    }

    /** Returns whether the stream has lost bytes: it then never delivers later ones, like TCP. */
    private boolean isLost(Direction direction) {
        if (proxy.plan().swallows(direction)) {
            lossy.add(direction);
        }
        return lossy.contains(direction);
    }

    private void readRequests(ByteBuffer bytes) throws IOException {
        if (!begun) {
            begun = true;
            opaque = bytes.get(bytes.position()) == TLS_HANDSHAKE;
        }
        if (opaque) {
            pass(Direction.TO_SERVER, Fault.Kind.HOLD_REQUEST, rest(bytes), "");
            return;
        }
        for (byte[] frame : requests.feed(bytes)) {
            RespRequest request = RespRequest.of(frame);
            if (!request(frame, request)) {
                return;
            }
        }
    }

    /** Handles a request, and returns whether the connection remains open. */
    private boolean request(byte[] frame, RespRequest request) {
        String text = request.text();
        proxy.counters().request(request.command());
        if (proxy.plan().strikes(Fault.Kind.RESET_REQUEST, text)) {
            close(true);
            return false;
        }
        if (proxy.plan().strikes(Fault.Kind.RECORD_REQUEST, text)) {
            proxy.record(login, frame);
        }
        if (request.isLogin()) {
            login.add(frame);
        }
        pass(Direction.TO_SERVER, Fault.Kind.HOLD_REQUEST, frame, text);
        pairing.sent(request, false);
        if (proxy.plan().strikes(Fault.Kind.DUPLICATE_REQUEST, text)) {
            toServer.put(frame, due(Direction.TO_SERVER), false);
            pairing.sent(request, true);
        }
        return true;
    }

    private void readReplies(ByteBuffer bytes) throws IOException {
        if (opaque) {
            pass(Direction.TO_CLIENT, Fault.Kind.HOLD_REPLY, rest(bytes), "");
            return;
        }
        for (byte[] frame : replies.feed(bytes)) {
            Optional<ReplyPairing.Expected> answered = pairing.answered(frame);
            boolean hidden = answered.isPresent() && answered.get().hidden();
            String text = answered.map(expected -> expected.request().text()).orElse("");
            boolean dropped = hidden || (answered.isPresent() && drops(text));
            if (lossy.contains(Direction.TO_CLIENT) || !client.isOpen()) {
                return;
            }
            if (!dropped) {
                pass(Direction.TO_CLIENT, Fault.Kind.HOLD_REPLY, frame, text);
            }
        }
    }

    private boolean drops(String request) {
        if (proxy.plan().strikes(Fault.Kind.DROP_REPLY_THEN_RESET, request)) {
            close(true);
            return true;
        }
        if (proxy.plan().strikes(Fault.Kind.DROP_REPLY_THEN_SILENCE, request)) {
            lossy.add(Direction.TO_CLIENT);
            return true;
        }
        return proxy.plan().strikes(Fault.Kind.DROP_REPLY, request);
    }

    private void pass(Direction direction, Fault.Kind hold, byte[] bytes, String request) {
        pipe(direction).put(bytes, due(direction), proxy.plan().strikes(hold, request));
    }

    private long due(Direction direction) {
        return System.nanoTime() + proxy.plan().delay(direction);
    }

    private static byte[] rest(ByteBuffer bytes) {
        byte[] rest = new byte[bytes.remaining()];
        bytes.get(rest);
        return rest;
    }

    ProxyPipe pipe(Direction direction) {
        return direction == Direction.TO_SERVER ? toServer : toClient;
    }

    /**
     * Sends the due bytes, and closes a link through which nothing can pass any more. Returns the time to the next
     * due bytes.
     */
    long flush(long now) {
        long next = Math.min(toServer.flush(now), toClient.flush(now));
        if (toServer.isEnded() && toClient.isEnded()) {
            close(false);
        }
        if (isOpen() && clientKey.isValid() && serverKey.isValid()) {
            clientKey.interestOps(interest(Direction.TO_SERVER, toClient));
            boolean connecting = server.isConnectionPending();
            serverKey.interestOps(connecting ? SelectionKey.OP_CONNECT : interest(Direction.TO_CLIENT, toServer));
        }
        return next;
    }

    private int interest(Direction reading, ProxyPipe writing) {
        return (ended.contains(reading) ? 0 : SelectionKey.OP_READ)
                | (writing.wantsToWrite() ? SelectionKey.OP_WRITE : 0);
    }

    boolean isOpen() {
        return client.isOpen();
    }

    /** Returns whether the client still has its side open. */
    boolean hasClient() {
        return isOpen() && !ended.contains(Direction.TO_SERVER);
    }

    boolean hasLostBytes() {
        return !lossy.isEmpty();
    }

    /** Closes both sides, by RST or by FIN. */
    void close(boolean reset) {
        for (SocketChannel channel : List.of(client, server)) {
            try (channel) {
                if (reset && channel.isOpen()) {
                    channel.setOption(StandardSocketOptions.SO_LINGER, 0);
                }
            } catch (IOException alreadyGone) {
                // This was the purpose.
            }
        }
    }
}
