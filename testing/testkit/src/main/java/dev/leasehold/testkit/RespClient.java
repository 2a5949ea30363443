package dev.leasehold.testkit;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One RESP2 connection, so that the testkit needs no Redis client. Not thread-safe. */
final class RespClient implements AutoCloseable {

    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;

    RespClient(String host, int port, Duration timeout) throws IOException {
        int millis = Math.toIntExact(timeout.toMillis());
        this.socket = new Socket();
        try {
            socket.connect(new InetSocketAddress(host, port), millis);
            socket.setSoTimeout(millis);
            socket.setTcpNoDelay(true);
            this.in = new BufferedInputStream(socket.getInputStream());
            this.out = socket.getOutputStream();
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** Sends one command and reads its answer: String, Long, List, or null; an error is a RedisReplyException. */
    @Nullable
    Object command(String... args) throws IOException {
        out.write(encode(args));
        out.flush();
        return read();
    }

    private static byte[] encode(String... args) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(("*" + args.length + "\r\n").getBytes(StandardCharsets.US_ASCII));
        for (String arg : args) {
            byte[] value = arg.getBytes(StandardCharsets.UTF_8);
            bytes.writeBytes(("$" + value.length + "\r\n").getBytes(StandardCharsets.US_ASCII));
            bytes.writeBytes(value);
            bytes.writeBytes(new byte[] {'\r', '\n'});
        }
        return bytes.toByteArray();
    }

    private @Nullable Object read() throws IOException {
        String line = readLine();
        String rest = line.isEmpty() ? "" : line.substring(1);
        return switch (line.isEmpty() ? ' ' : line.charAt(0)) {
            case '+' -> rest;
            case '-' -> throw new RedisReplyException(rest);
            case ':' -> Long.valueOf(rest);
            case '$' -> readBulk(Integer.parseInt(rest));
            case '*' -> readList(Integer.parseInt(rest));
            default -> throw new IOException("Not an answer of a Redis server: " + line);
        };
    }

    private @Nullable String readBulk(int length) throws IOException {
        if (length < 0) {
            return null;
        }
        byte[] value = in.readNBytes(length + 2);
        if (value.length < length + 2) {
            throw new EOFException("The server closed the connection within an answer.");
        }
        return new String(value, 0, length, StandardCharsets.UTF_8);
    }

    private @Nullable List<@Nullable Object> readList(int length) throws IOException {
        if (length < 0) {
            return null;
        }
        List<@Nullable Object> values = new ArrayList<>(length);
        for (int i = 0; i < length; i++) {
            values.add(readElement());
        }
        return values;
    }

    /** Reads an element. An error inside a list (EXEC) becomes its text: the elements after it must still be read. */
    private @Nullable Object readElement() throws IOException {
        try {
            return read();
        } catch (RedisReplyException error) {
            return error.getMessage();
        }
    }

    private String readLine() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        int b = in.read();
        while (b != '\r') {
            if (b < 0) {
                throw new EOFException("The server closed the connection.");
            }
            line.write(b);
            b = in.read();
        }
        if (in.read() != '\n') {
            throw new IOException("Not an answer of a Redis server: no line feed after " + line);
        }
        return line.toString(StandardCharsets.UTF_8);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
