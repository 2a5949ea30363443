package dev.leasehold.chaos.work;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A connection to the resource, for one thread. */
public final class Resource {

    private final BufferedReader in;
    private final OutputStream out;

    /** Connects to the port that {@link ResourceProcess} prints. */
    public Resource(int port) {
        try {
            Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setTcpNoDelay(true);
            in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            out = socket.getOutputStream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The previous values: the counter, and the register, where -1 means that the token was refused. */
    public record Seen(long witness, long value) {}

    /** Reads the unguarded counter, and the register. */
    public Seen enter(String op, String lock, long token) {
        String[] answer = ask("enter " + op + " " + lock + " " + token).split(" ", -1);
        return new Seen(Long.parseLong(answer[0]), Long.parseLong(answer[1]));
    }

    /**
     * Writes both, but the register only if its value is not negative; returns the new value of the register, or
     * -1.
     */
    long leave(String op, String lock, long token, long witness, long value) {
        return Long.parseLong(ask("leave " + op + " " + lock + " " + token + " " + witness + " " + value));
    }

    /** Writes the register, and returns whether the token was accepted. */
    public boolean write(String op, String lock, long token, long value) {
        return ask("write " + op + " " + lock + " " + token + " " + value).equals(Long.toString(value));
    }

    private String ask(String line) {
        try {
            out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
            String answer = in.readLine();
            if (answer == null) {
                throw new IllegalStateException("the resource has ended");
            }
            return answer;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
