package dev.leasehold.console.internal.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.leasehold.console.Console;
import dev.leasehold.console.ConsoleReply;
import java.io.IOException;
import java.util.Optional;

/** Checks each request and passes it on. */
public final class ConsoleHandler implements HttpHandler {

    private static final String ACTIONS = "api/actions/";
    private static final int NO_CONTENT = 204;
    private static final int BAD_REQUEST = 400;
    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;
    private static final int METHOD_NOT_ALLOWED = 405;
    private static final int TOO_LARGE = 413;
    private static final int URI_TOO_LONG = 414;
    private static final int MISDIRECTED = 421;

    private final Console console;
    private final Sessions sessions;
    private final Guard guard;
    private final EventStreams streams;

    public ConsoleHandler(Console console, Sessions sessions, int port) {
        this.console = console;
        this.sessions = sessions;
        guard = new Guard(port, sessions);
        streams = new EventStreams(console);
    }

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            String query = exchange.getRequestURI().getRawQuery();
            if (!guard.isForThisHost(exchange)) {
                Exchanges.reply(exchange, MISDIRECTED, "open the console by its address 127.0.0.1 or localhost");
            } else if (query != null && query.length() > Exchanges.LONGEST_QUERY) {
                Exchanges.reply(exchange, URI_TOO_LONG, "the query is too long");
            } else {
                dispatch(exchange);
            }
        } catch (IllegalArgumentException e) {
            // Of URLDecoder. The browser gets the closed connection.
            throw new IOException("the query cannot be decoded", e);
        }
    }

    private void dispatch(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath().replaceFirst("^/", "");
        switch (exchange.getRequestMethod()) {
            case "GET", "HEAD" -> get(exchange, path);
            case "POST" -> post(exchange, path);
            default -> Exchanges.reply(exchange, METHOD_NOT_ALLOWED, "");
        }
    }

    /** Serves the files to everybody, as the page must be there to exchange the token; data only within the session. */
    private void get(HttpExchange exchange, String path) throws IOException {
        Optional<ConsoleReply> file = console.file(path);
        if (file.isPresent()) {
            Exchanges.reply(exchange, file.get());
        } else if (!path.startsWith("api/")) {
            Exchanges.reply(exchange, NOT_FOUND, "");
        } else if (guard.isFromElsewhere(exchange)) {
            Exchanges.reply(exchange, FORBIDDEN, "");
        } else if (!guard.hasSession(exchange)) {
            Exchanges.reply(exchange, UNAUTHORIZED, "");
        } else if (path.equals("api/session")) {
            Exchanges.reply(exchange, NO_CONTENT, "");
        } else if (path.equals("api/events") && exchange.getRequestMethod().equals("GET")) {
            streams.serve(exchange);
        } else {
            Exchanges.reply(exchange, NOT_FOUND, "");
        }
    }

    private void post(HttpExchange exchange, String path) throws IOException {
        if (guard.isFromElsewhere(exchange) || !guard.isFromThisPage(exchange)) {
            Exchanges.reply(exchange, FORBIDDEN, "");
            return;
        }
        boolean begins = path.equals("api/session");
        if (!begins && !guard.hasSession(exchange)) {
            Exchanges.reply(exchange, UNAUTHORIZED, "");
            return;
        }
        Optional<String> body = Exchanges.body(exchange);
        if (body.isEmpty()) {
            Exchanges.reply(exchange, TOO_LARGE, "");
        } else if (begins) {
            exchangeToken(exchange, body.get());
        } else {
            act(exchange, path, body.get());
        }
    }

    /** The body is the token itself, as a JSON text, so that no log of URLs contains it. */
    private void exchangeToken(HttpExchange exchange, String body) throws IOException {
        boolean quoted = body.length() > 1 && body.startsWith("\"") && body.endsWith("\"");
        if (!quoted) {
            Exchanges.reply(exchange, BAD_REQUEST, "");
            return;
        }
        Optional<String> session = sessions.exchange(body.substring(1, body.length() - 1));
        if (session.isPresent()) {
            exchange.getResponseHeaders().set("Set-Cookie", guard.cookie(session.get()));
        }
        Exchanges.reply(exchange, session.isPresent() ? NO_CONTENT : FORBIDDEN, "");
    }

    private void act(HttpExchange exchange, String path, String body) throws IOException {
        Optional<ConsoleReply> reply =
                path.startsWith(ACTIONS) ? console.act(path.substring(ACTIONS.length()), body) : Optional.empty();
        if (reply.isPresent()) {
            Exchanges.reply(exchange, reply.get());
        } else {
            Exchanges.reply(exchange, NOT_FOUND, "");
        }
    }
}
