package dev.leasehold.spring.boot;

import dev.leasehold.console.Console;
import dev.leasehold.console.ConsoleAnswer;
import dev.leasehold.console.ConsoleDispatcher;
import dev.leasehold.console.ConsoleReply;
import dev.leasehold.console.ConsoleRequest;
import dev.leasehold.console.ConsoleSession;
import dev.leasehold.console.ConsoleStream;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Presents requests of the container to the console, and sends the answers. */
final class ConsoleServlet extends HttpServlet {

    /** The path within the context of the application. */
    static final String PATH = "/leasehold";

    private static final long serialVersionUID = 1L;
    private static final ConsoleReply NOT_READABLE = new ConsoleReply(
            HttpServletResponse.SC_FORBIDDEN, "application/json", "{\"outcome\":\"not_open\",\"problem\":\"\"}");
    private static final Map<String, Integer> PORTS = Map.of("http", 80, "https", 443);

    private final transient ConsoleDispatcher dispatcher;
    private final transient ConsoleStreams streams;
    private final transient ConsoleUsers users;

    ConsoleServlet(ConsoleDispatcher dispatcher, ConsoleStreams streams, ConsoleUsers users) {
        this.dispatcher = dispatcher;
        this.streams = streams;
        this.users = users;
    }

    /** A request of the container. */
    private record ContainerRequest(HttpServletRequest request) implements ConsoleRequest {
        @Override
        public String method() {
            return request.getMethod();
        }

        @Override
        public String path() {
            return request.getPathInfo().substring(1);
        }

        @Override
        public @Nullable String query() {
            return request.getQueryString();
        }

        @Override
        public List<String> headers(String name) {
            return Collections.list(request.getHeaders(name));
        }

        @Override
        public InputStream body() throws IOException {
            return request.getInputStream();
        }
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Console.headers().forEach(response::setHeader);
        if (request.getPathInfo() == null) {
            // Relative, so that it is right behind every proxy, whatever the application knows of it.
            response.setStatus(HttpServletResponse.SC_FOUND);
            response.setHeader("Location", PATH.substring(1) + "/");
            return;
        }
        boolean forPage = request.getPathInfo().equals("/api/session");
        ConsoleSession session = users.session(request, forPage);
        if (session != null && request.getPathInfo().startsWith("/api/") && !users.mayRead(request)) {
            send(response, NOT_READABLE);
            return;
        }
        ConsoleAnswer answer = dispatcher.answer(new ContainerRequest(request), origin(request), session);
        if (answer instanceof ConsoleStream stream) {
            streams.open(request, response, stream);
        } else if (answer instanceof ConsoleReply reply) {
            send(response, reply);
        }
    }

    /** The container omits the body of an answer to HEAD. */
    private static void send(HttpServletResponse response, ConsoleReply reply) throws IOException {
        byte[] body = reply.body().getBytes(StandardCharsets.UTF_8);
        response.setStatus(reply.status());
        response.setContentType(reply.contentType());
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }

    /** Returns the address of the application as its strategy for forwarded headers knows it. */
    private static String origin(HttpServletRequest request) {
        String scheme = request.getScheme();
        String host = request.getServerName().toLowerCase(Locale.ROOT);
        int port = request.getServerPort();
        String literal = host.contains(":") && !host.startsWith("[") ? "[" + host + "]" : host;
        return scheme + "://" + literal + (Integer.valueOf(port).equals(PORTS.get(scheme)) ? "" : ":" + port);
    }
}
