package dev.leasehold.console.internal.http;

import com.sun.net.httpserver.HttpExchange;
import dev.leasehold.console.Console;
import dev.leasehold.console.ConsoleReply;
import dev.leasehold.console.ConsoleRequest;
import dev.leasehold.console.ConsoleStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Presents requests of the JDK's server to the console, and sends the answers. */
final class Exchanges {

    private static final int OK = 200;
    private static final long NO_BODY = -1;

    private Exchanges() {}

    /** A request of the JDK's server. */
    private record ExchangeRequest(HttpExchange exchange) implements ConsoleRequest {
        @Override
        public String method() {
            return exchange.getRequestMethod();
        }

        @Override
        public String path() {
            String within = exchange.getHttpContext().getPath();
            return exchange.getRequestURI().getPath().substring(within.length());
        }

        @Override
        public @Nullable String query() {
            return exchange.getRequestURI().getRawQuery();
        }

        @Override
        public List<String> headers(String name) {
            return exchange.getRequestHeaders().getOrDefault(name, List.of());
        }

        @Override
        public InputStream body() {
            return exchange.getRequestBody();
        }
    }

    static ConsoleRequest request(HttpExchange exchange) {
        return new ExchangeRequest(exchange);
    }

    static void reply(HttpExchange exchange, ConsoleReply reply) throws IOException {
        byte[] body = reply.body().getBytes(StandardCharsets.UTF_8);
        headers(exchange, reply.contentType());
        if (exchange.getRequestMethod().equals("HEAD") || body.length == 0) {
            exchange.sendResponseHeaders(reply.status(), NO_BODY);
        } else {
            exchange.sendResponseHeaders(reply.status(), body.length);
            exchange.getResponseBody().write(body);
        }
    }

    static void reply(HttpExchange exchange, int status, String text) throws IOException {
        reply(exchange, new ConsoleReply(status, "text/plain; charset=utf-8", text));
    }

    /** Sends events on the thread of the request, until the browser leaves or the server stops. */
    static void stream(HttpExchange exchange, ConsoleStream stream) throws IOException {
        try (stream) {
            headers(exchange, ConsoleStream.CONTENT_TYPE);
            exchange.sendResponseHeaders(OK, 0);
            stream.writeTo(exchange.getResponseBody(), () -> true);
        } catch (InterruptedException e) {
            // The server stops.
            Thread.currentThread().interrupt();
        }
    }

    private static void headers(HttpExchange exchange, String contentType) {
        Console.headers().forEach(exchange.getResponseHeaders()::set);
        exchange.getResponseHeaders().set("Content-Type", contentType);
    }
}
