package dev.leasehold.console.internal.http;

import com.sun.net.httpserver.HttpExchange;
import dev.leasehold.console.Console;
import dev.leasehold.console.ConsoleStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;

/** Sends the states of a screen as server-sent events, each on the thread of its request. */
final class EventStreams {

    /** The most streams at a time. A browser tab has one. */
    static final int MOST_STREAMS = 16;

    /** After this time a comment is sent, which fails if the browser is gone. */
    private static final Duration SILENCE = Duration.ofSeconds(5);

    private static final int OK = 200;
    private static final int NOT_FOUND = 404;
    private static final int TOO_MANY = 429;

    private final Console console;
    private final Semaphore free = new Semaphore(MOST_STREAMS);

    EventStreams(Console console) {
        this.console = console;
    }

    /** Sends events until the browser leaves or the server stops. */
    void serve(HttpExchange exchange) throws IOException {
        if (!free.tryAcquire()) {
            Exchanges.reply(exchange, TOO_MANY, "too many open pages: close some");
            return;
        }
        try {
            Optional<ConsoleStream> stream = console.watch(Exchanges.parameters(exchange));
            if (stream.isEmpty()) {
                Exchanges.reply(exchange, NOT_FOUND, "no such screen");
                return;
            }
            try (ConsoleStream open = stream.get()) {
                send(exchange, open);
            }
        } catch (InterruptedException e) {
            // The server stops.
            Thread.currentThread().interrupt();
        } finally {
            free.release();
        }
    }

    private static void send(HttpExchange exchange, ConsoleStream stream) throws IOException, InterruptedException {
        Exchanges.headers(exchange);
        exchange.getResponseHeaders().set("Content-Type", "text/event-stream; charset=utf-8");
        exchange.sendResponseHeaders(OK, 0);
        OutputStream out = exchange.getResponseBody();
        while (true) {
            String event = stream.next(SILENCE).map(json -> "data: " + json).orElse(":");
            out.write((event + "\n\n").getBytes(StandardCharsets.UTF_8));
            out.flush();
        }
    }
}
