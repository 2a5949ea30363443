package dev.leasehold.console.internal.http;

import com.sun.net.httpserver.HttpExchange;
import dev.leasehold.console.Console;
import dev.leasehold.console.ConsoleReply;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Reads requests and writes replies, with limits on their size. */
final class Exchanges {

    /** The largest body of a request, in bytes. */
    static final int LARGEST_BODY = 16 * 1024;

    /** The longest query of a request: a lock name of 512 bytes, each of them as %XX, and more. */
    static final int LONGEST_QUERY = 4 * 1024;

    private static final long NO_BODY = -1;

    private Exchanges() {}

    /** Returns the body as UTF-8; empty if it is too large. */
    static Optional<String> body(HttpExchange exchange) throws IOException {
        try (InputStream in = exchange.getRequestBody()) {
            byte[] bytes = in.readNBytes(LARGEST_BODY + 1);
            return bytes.length > LARGEST_BODY
                    ? Optional.empty()
                    : Optional.of(new String(bytes, StandardCharsets.UTF_8));
        }
    }

    /** Returns the parameters of the query; of several with one name, the last. */
    static Map<String, String> parameters(HttpExchange exchange) {
        Map<String, String> parameters = new HashMap<>();
        String query = exchange.getRequestURI().getRawQuery();
        if (query != null) {
            for (String pair : query.split("&", -1)) {
                int equals = pair.indexOf('=');
                if (equals > 0) {
                    parameters.put(decode(pair.substring(0, equals)), decode(pair.substring(equals + 1)));
                }
            }
        }
        return parameters;
    }

    private static String decode(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    static void headers(HttpExchange exchange) {
        Console.headers().forEach(exchange.getResponseHeaders()::set);
    }

    static void reply(HttpExchange exchange, ConsoleReply reply) throws IOException {
        byte[] body = reply.body().getBytes(StandardCharsets.UTF_8);
        headers(exchange);
        exchange.getResponseHeaders().set("Content-Type", reply.contentType());
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
}
