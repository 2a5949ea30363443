package dev.leasehold.tck;

import dev.leasehold.testkit.EmbeddedRedis;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;

/** Stands before a server, and answers chosen requests itself: with what it was sent, and with signs that move a terminal's cursor. */
final class EchoingServer implements AutoCloseable {

    /** Clears a terminal. */
    static final String ESCAPE = "\u001b[2J";

    private static final int BUFFER = 16 * 1024;

    /** How it answers. */
    enum Manner {
        /** The request itself, byte for byte. */
        BYTES,
        /** An error with all words of the request. */
        ERROR,
        /** An error with all words of the request, which begins as one about rights. */
        NO_RIGHT,
        /** An error with all words of the request, which begins as one about a password. */
        WRONG_PASSWORD,
        /** An error with all words of the request, in other letters and quotes than those of Redis. */
        UNKNOWN_COMMAND,
        /** An error as an element of an array. */
        NESTED,
        /** A web server's answer, which quotes the request. */
        HTTP
    }

    private final EmbeddedRedis target;
    private final ServerSocket listener;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final Queue<String> echoed = new ConcurrentLinkedQueue<>();
    private volatile Manner manner = Manner.BYTES;
    private volatile Predicate<RespRequest> chosen = request -> false;

    /** Forwards everything to this server until told otherwise. */
    EchoingServer(EmbeddedRedis target) {
        this.target = target;
        try {
            listener = new ServerSocket(0, 0, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        inThread(this::accept);
    }

    /** Returns the URI of the server behind it, with this one's port. */
    String uri() {
        return target.uri().replace(":" + target.port(), ":" + port());
    }

    int port() {
        return listener.getLocalPort();
    }

    /** Answers the chosen requests from now on. */
    void echo(Manner how, Predicate<RespRequest> which) {
        manner = how;
        chosen = which;
    }

    /** Returns all words that it has repeated. */
    Queue<String> echoed() {
        return echoed;
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = listener.accept();
            Socket server = new Socket(target.host(), target.port());
            open.addAll(List.of(client, server));
            inThread(() -> forward(server, client));
            inThread(() -> read(client, server));
        }
    }

    private void read(Socket client, Socket server) throws IOException {
        RespFrames frames = new RespFrames();
        byte[] bytes = new byte[BUFFER];
        try (client;
                server) {
            InputStream in = client.getInputStream();
            for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
                for (byte[] frame : frames.feed(ByteBuffer.wrap(bytes, 0, read))) {
                    RespRequest request = RespRequest.of(frame);
                    if (chosen.test(request)) {
                        echoed.addAll(request.words());
                        client.getOutputStream().write(answer(frame, request));
                    } else {
                        server.getOutputStream().write(frame);
                    }
                }
            }
        }
    }

    private byte[] answer(byte[] frame, RespRequest request) {
        String words = request.text().replaceAll("[\r\n]", " ");
        String answer = switch (manner) {
            case BYTES -> new String(frame, StandardCharsets.ISO_8859_1);
            case ERROR -> "-ERR no " + ESCAPE + words + "\r\n";
            case NO_RIGHT -> "-NOPERM User " + words + " has no permissions to do that\r\n";
            case WRONG_PASSWORD -> "-WRONGPASS not " + words + "\r\n";
            case UNKNOWN_COMMAND -> "-ERR Unknown command \"" + words + "\"\r\n";
            case NESTED -> "*2\r\n:1\r\n-ERR no " + words + "\r\n";
            case HTTP -> "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain\r\n\r\n" + words + "\r\n";
        };
        return answer.getBytes(manner == Manner.BYTES ? StandardCharsets.ISO_8859_1 : StandardCharsets.UTF_8);
    }

    private static void forward(Socket from, Socket to) throws IOException {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] bytes = new byte[BUFFER];
            for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
                out.write(bytes, 0, read);
            }
        }
    }

    private static void inThread(SocketThread.Task task) {
        SocketThread.start("leasehold-echo", task);
    }

    @Override
    public void close() {
        try {
            listener.close();
            for (Socket each : open) {
                each.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
