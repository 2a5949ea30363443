package dev.leasehold.console;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.function.Predicate;

/** An open stream of states. */
final class Events implements AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int LIMIT_MILLIS = 60_000;

    private final Socket socket;
    private final BufferedReader in;
    private final List<String> head;

    private Events(Socket socket, BufferedReader in, List<String> head) {
        this.socket = socket;
        this.in = in;
        this.head = head;
    }

    static Events open(URI console, String cookie, String query) {
        try {
            Socket socket = RawRequest.of(console, "GET", "/api/events?" + query)
                    .cookie(cookie)
                    .open();
            socket.setSoTimeout(LIMIT_MILLIS);
            BufferedReader in = RawRequest.reader(socket);
            return new Events(socket, in, RawRequest.head(in));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    int status() {
        return Integer.parseInt(head.get(0).split(" ", -1)[1]);
    }

    JsonNode next() {
        try {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                if (line.startsWith("data: ")) {
                    return JSON.readTree(line.substring("data: ".length()));
                }
            }
            throw new IllegalStateException("the stream has ended");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the first state that has the property; the socket's timeout ends the wait. */
    JsonNode until(Predicate<JsonNode> property) {
        JsonNode state = next();
        while (!property.test(state)) {
            state = next();
        }
        return state;
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
