package dev.leasehold.tck;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/** A minimal client: it writes requests, and reads one reply after the other as RESP text. */
final class RawConnection implements AutoCloseable {

    static final Duration ANSWER = Duration.ofSeconds(20);
    static final Duration SILENCE = Duration.ofMillis(200);

    private final Socket socket = new Socket();
    private final RespFrames frames = new RespFrames();
    private final Deque<byte[]> read = new ArrayDeque<>();

    RawConnection(int port) throws IOException {
        socket.connect(new InetSocketAddress("127.0.0.1", port));
        socket.setTcpNoDelay(true);
    }

    /** Sends one request without waiting for its reply. */
    void send(String... words) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(("*" + words.length + "\r\n").getBytes(StandardCharsets.US_ASCII));
        for (String word : words) {
            byte[] value = word.getBytes(StandardCharsets.UTF_8);
            bytes.writeBytes(("$" + value.length + "\r\n").getBytes(StandardCharsets.US_ASCII));
            bytes.writeBytes(value);
            bytes.writeBytes(new byte[] {'\r', '\n'});
        }
        raw(bytes.toByteArray());
    }

    void raw(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        socket.getOutputStream().flush();
    }

    String ask(String... words) throws IOException {
        send(words);
        return reply();
    }

    /** Returns the next reply, "end" for the end of the stream, "reset" for a reset. */
    String reply() {
        return reply(ANSWER);
    }

    /** Returns whether nothing arrives for a while. */
    boolean isSilent() {
        return reply(SILENCE).equals("silence");
    }

    private String reply(Duration limit) {
        byte[] buffer = new byte[64 * 1024];
        try {
            socket.setSoTimeout(Math.toIntExact(limit.toMillis()));
            while (read.isEmpty()) {
                int n = socket.getInputStream().read(buffer);
                if (n < 0) {
                    return "end";
                }
                read.addAll(frames.feed(ByteBuffer.wrap(buffer, 0, n)));
            }
            return new String(read.remove(), StandardCharsets.UTF_8);
        } catch (SocketTimeoutException e) {
            return "silence";
        } catch (java.net.SocketException e) {
            return "reset";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
