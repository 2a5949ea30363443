package dev.leasehold.tck.script;

import dev.leasehold.testkit.EmbeddedRedis;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** One connection to a Redis server that stays open, for tests of many thousands of steps. Uses RESP2. */
final class Wire implements AutoCloseable {

    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;

    /** Thrown when the server answers with an error. */
    static final class ErrorReply extends RuntimeException {
        private static final long serialVersionUID = 1L;

        ErrorReply(String message) {
            super(message);
        }

        @Override
        public String toString() {
            return "error: " + getMessage();
        }
    }

    /** Connects to a server as its default user. */
    Wire(EmbeddedRedis redis) {
        try {
            socket = new Socket(redis.host(), redis.port());
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(30_000);
            in = new BufferedInputStream(socket.getInputStream());
            out = socket.getOutputStream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        command(List.of("AUTH", redis.password()));
    }

    /** Sends a command and reads its reply: a String, a Long, a List of these, or null; throws an error reply. */
    Object command(List<String> args) {
        Object reply = commands(List.of(args)).get(0);
        if (reply instanceof ErrorReply error) {
            throw error;
        }
        return reply;
    }

    /** Sends commands in one write and reads their replies; an error is an {@link ErrorReply} among them. */
    List<Object> commands(List<List<String>> all) {
        try {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            all.forEach(args -> write(args, bytes));
            out.write(bytes.toByteArray());
            out.flush();
            return list(all.size());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads the next reply: a message of a channel. */
    Object receive() {
        try {
            return read();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void write(List<String> args, ByteArrayOutputStream bytes) {
        bytes.writeBytes(("*" + args.size() + "\r\n").getBytes(StandardCharsets.US_ASCII));
        for (String arg : args) {
            byte[] value = arg.getBytes(StandardCharsets.UTF_8);
            bytes.writeBytes(("$" + value.length + "\r\n").getBytes(StandardCharsets.US_ASCII));
            bytes.writeBytes(value);
            bytes.writeBytes(new byte[] {'\r', '\n'});
        }
    }

    private Object read() throws IOException {
        String line = line();
        String rest = line.substring(1);
        return switch (line.charAt(0)) {
            case '+' -> rest;
            case '-' -> new ErrorReply(rest);
            case ':' -> Long.valueOf(rest);
            case '$' -> bulk(Integer.parseInt(rest));
            case '*' -> list(Integer.parseInt(rest));
            default -> throw new IOException("not an answer: " + line);
        };
    }

    private String bulk(int length) throws IOException {
        if (length < 0) {
            return null;
        }
        byte[] value = in.readNBytes(length);
        in.readNBytes(2);
        return new String(value, StandardCharsets.UTF_8);
    }

    private List<Object> list(int length) throws IOException {
        List<Object> values = new ArrayList<>();
        for (int i = 0; i < length; i++) {
            values.add(read());
        }
        return values;
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int b = in.read(); b != '\r'; b = in.read()) {
            if (b < 0) {
                throw new EOFException("the server closed the connection");
            }
            line.append((char) b);
        }
        in.read();
        return line.toString();
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
