package dev.leasehold.console;

import dev.leasehold.console.internal.http.Requests;
import dev.leasehold.console.internal.view.Json;
import dev.leasehold.console.internal.view.Shown;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Answers requests of HTTP for a console, on behalf of any server. The server establishes who asks, and sends the answer with
 * {@link Console#headers()}. A {@code POST} needs the {@code Origin} of the page and a header that other pages cannot send. At most 16
 * streams are open at a time; of one user with a name, at most 6, and of all users with names who may not act, at most 12, so that a
 * user who may finds one free. A body has at most 16 KiB, a query at most 4 KiB. Safe for use by several threads.
 */
public final class ConsoleDispatcher {

    private static final String SESSION = "api/session";
    private static final String ACTIONS = "api/actions/";
    private static final int OK = 200;
    private static final int BAD_REQUEST = 400;
    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;
    private static final int METHOD_NOT_ALLOWED = 405;
    private static final int TOO_LARGE = 413;
    private static final int URI_TOO_LONG = 414;
    private static final int TOO_MANY = 429;

    private final Console console;
    private final OpenStreams open = new OpenStreams();

    /**
     * Creates a dispatcher. A console has one.
     *
     * @param console the console; the caller closes it
     */
    public ConsoleDispatcher(Console console) {
        this.console = console;
    }

    /**
     * Answers a request. The files of the page are for everybody; data and actions need a session.
     *
     * @param request the request
     * @param origin the origin of the page, such as https://example.com, as the browser sees it
     * @param session the user, or null if nobody has signed in
     * @return the answer; the caller closes a {@link ConsoleStream}
     * @throws IOException if the body cannot be read
     */
    public ConsoleAnswer answer(ConsoleRequest request, String origin, @Nullable ConsoleSession session)
            throws IOException {
        if (Requests.hasLongQuery(request)) {
            return ConsoleReply.text(URI_TOO_LONG, "the query is too long");
        }
        return switch (request.method()) {
            case "GET", "HEAD" -> get(request, session);
            case "POST" -> post(request, origin, session);
            default -> ConsoleReply.text(METHOD_NOT_ALLOWED, "");
        };
    }

    private ConsoleAnswer get(ConsoleRequest request, @Nullable ConsoleSession session) {
        Optional<ConsoleReply> file = console.file(request.path());
        if (file.isPresent()) {
            return file.get();
        }
        if (!request.path().startsWith("api/")) {
            return ConsoleReply.text(NOT_FOUND, "");
        }
        if (Requests.isFromElsewhere(request)) {
            return ConsoleReply.text(FORBIDDEN, "");
        }
        if (session == null) {
            return ConsoleReply.text(UNAUTHORIZED, "");
        }
        if (request.path().equals(SESSION)) {
            return ConsoleReply.json(OK, json(session));
        }
        boolean streams =
                request.path().equals("api/events") && request.method().equals("GET");
        return streams ? stream(request, session) : ConsoleReply.text(NOT_FOUND, "");
    }

    private ConsoleAnswer stream(ConsoleRequest request, ConsoleSession session) {
        Map<String, String> parameters;
        try {
            parameters = Requests.parameters(request);
        } catch (IllegalArgumentException e) {
            return ConsoleReply.text(BAD_REQUEST, "the query cannot be decoded");
        }
        if (!open.enter(session)) {
            return ConsoleReply.text(TOO_MANY, "too many open pages: close some");
        }
        Optional<ConsoleStream> stream = Optional.empty();
        try {
            stream = console.watch(parameters, session);
            stream.ifPresent(opened -> opened.onClose(() -> open.leave(session)));
        } finally {
            if (stream.isEmpty()) {
                open.leave(session);
            }
        }
        return stream.isPresent() ? stream.get() : ConsoleReply.text(NOT_FOUND, "no such screen");
    }

    private ConsoleReply post(ConsoleRequest request, String origin, @Nullable ConsoleSession session)
            throws IOException {
        if (!Requests.isFromPage(request, origin)) {
            return refused(origin);
        }
        if (session == null) {
            return ConsoleReply.text(UNAUTHORIZED, "");
        }
        if (!request.path().startsWith(ACTIONS)) {
            return ConsoleReply.text(NOT_FOUND, "");
        }
        Optional<String> body = Requests.body(request);
        if (body.isEmpty()) {
            return ConsoleReply.text(TOO_LARGE, "");
        }
        return console.act(request.path().substring(ACTIONS.length()), body.get(), session)
                .orElseGet(() -> ConsoleReply.text(NOT_FOUND, ""));
    }

    private static ConsoleReply refused(String origin) {
        String problem = "a POST needs the header of the page and its Origin, " + origin
                + ". If the browser uses another address, the server must know it: behind a proxy, Spring Boot needs"
                + " server.forward-headers-strategy";
        return ConsoleReply.json(FORBIDDEN, Json.object(json -> {
            json.writeStringField("outcome", "failed");
            json.writeStringField("problem", Shown.message(problem));
        }));
    }

    private static String json(ConsoleSession session) {
        return Json.object(json -> {
            json.writeObjectFieldStart("postHeaders");
            for (Map.Entry<String, List<String>> header : session.postHeaders().entrySet()) {
                json.writeArrayFieldStart(header.getKey());
                for (String value : header.getValue()) {
                    json.writeString(value);
                }
                json.writeEndArray();
            }
            json.writeEndObject();
        });
    }
}
