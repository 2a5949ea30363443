package dev.leasehold.console.internal.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.leasehold.console.ConsoleAnswer;
import dev.leasehold.console.ConsoleDispatcher;
import dev.leasehold.console.ConsoleReply;
import dev.leasehold.console.ConsoleRequest;
import dev.leasehold.console.ConsoleSession;
import dev.leasehold.console.ConsoleStream;
import dev.leasehold.console.internal.view.Json;
import java.io.IOException;
import java.util.Optional;

/**
 * Checks the host of each request, exchanges the token, and passes the other requests on: those for the path of the session with the
 * session, if they have its cookie, and those for any other path without.
 */
public final class ConsoleHandler implements HttpHandler {

    private static final int OK = 200;
    private static final int BAD_REQUEST = 400;
    private static final int FORBIDDEN = 403;
    private static final int TOO_LARGE = 413;
    private static final int MISDIRECTED = 421;

    private final ConsoleDispatcher dispatcher;
    private final ConsoleSession session;
    private final Sessions sessions;
    private final RequestThreads threads;
    private final Guard guard;

    public ConsoleHandler(
            ConsoleDispatcher dispatcher, ConsoleSession session, Sessions sessions, RequestThreads threads, int port) {
        this.dispatcher = dispatcher;
        this.session = session;
        this.sessions = sessions;
        this.threads = threads;
        guard = new Guard(port, sessions);
    }

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            ConsoleRequest request = Exchanges.request(exchange);
            if (!guard.isForThisHost(request)) {
                Exchanges.reply(exchange, MISDIRECTED, "open the console by its address 127.0.0.1 or localhost");
            } else if (request.method().equals("POST") && request.path().equals("api/session")) {
                exchangeToken(exchange, request);
            } else {
                answer(exchange, request);
            }
        }
    }

    private void answer(HttpExchange exchange, ConsoleRequest request) throws IOException {
        boolean known = exchange.getHttpContext().getPath().equals(sessions.path()) && guard.hasSession(request);
        if (known) {
            threads.admit();
        }
        ConsoleAnswer answer = dispatcher.answer(request, guard.origin(request), known ? session : null);
        if (answer instanceof ConsoleStream stream) {
            Exchanges.stream(exchange, stream);
        } else if (answer instanceof ConsoleReply reply) {
            Exchanges.reply(exchange, reply);
        }
    }

    /** The body is the token itself, as a JSON text, so that no log of URLs contains it. */
    private void exchangeToken(HttpExchange exchange, ConsoleRequest request) throws IOException {
        if (!Requests.isFromPage(request, guard.origin(request))) {
            Exchanges.reply(exchange, FORBIDDEN, "");
            return;
        }
        Optional<String> token = Requests.body(request);
        if (token.isEmpty()) {
            Exchanges.reply(exchange, TOO_LARGE, "");
            return;
        }
        String quoted = token.get();
        if (quoted.length() < 2 || !quoted.startsWith("\"") || !quoted.endsWith("\"")) {
            Exchanges.reply(exchange, BAD_REQUEST, "");
            return;
        }
        Optional<String> given = sessions.exchange(quoted.substring(1, quoted.length() - 1));
        if (given.isEmpty()) {
            Exchanges.reply(exchange, FORBIDDEN, "");
            return;
        }
        exchange.getResponseHeaders().set("Set-Cookie", guard.cookie(given.get()));
        String body = Json.object(json -> json.writeStringField("path", sessions.path()));
        Exchanges.reply(exchange, new ConsoleReply(OK, "application/json", body));
    }
}
