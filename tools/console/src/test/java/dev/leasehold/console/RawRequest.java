package dev.leasehold.console;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A request as bytes on a socket: a client of HTTP would correct the headers that a test wants wrong. HTTP/1.0, so that no reply
 * comes in chunks.
 */
final class RawRequest {

    private static final int LIMIT_MILLIS = 60_000;

    private final int port;
    private final String method;
    private String path;
    private final List<String> headers = new ArrayList<>();
    private String body = "";

    private RawRequest(URI console, String method, String path) {
        port = console.getPort();
        this.method = method;
        this.path = path;
    }

    /** A response; header names are in lower case. */
    record Response(int status, List<String> headers, String body) {
        Optional<String> header(String name) {
            String prefix = name.toLowerCase(Locale.ROOT) + ": ";
            return headers.stream()
                    .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(prefix))
                    .map(line -> line.substring(prefix.length()))
                    .findFirst();
        }
    }

    /** A request with nothing but the right host. */
    static RawRequest of(URI console, String method, String path) {
        return new RawRequest(console, method, path).header("Host: 127.0.0.1:" + console.getPort());
    }

    /** A request without any header. */
    static RawRequest bare(URI console, String method, String path) {
        return new RawRequest(console, method, path);
    }

    /** A POST as the page sends it. */
    static RawRequest post(URI console, String path, String body) {
        RawRequest request = of(console, "POST", path)
                .header("Origin: http://127.0.0.1:" + console.getPort())
                .header("X-Leasehold-Console: 1")
                .header("Content-Type: application/json");
        request.body = body;
        return request;
    }

    /** Exchanges the token of an address for the cookie of the session, with its path. */
    static String session(URI console) {
        return post(console, "/api/session", '"' + token(console) + '"')
                .send()
                .header("Set-Cookie")
                .orElseThrow();
    }

    static String token(URI console) {
        return console.getFragment().replace("token=", "");
    }

    RawRequest header(String line) {
        headers.add(line);
        return this;
    }

    RawRequest without(String name) {
        headers.removeIf(line -> line.startsWith(name + ":"));
        return this;
    }

    /** Adds a cookie as the server has set it. A page for whose path it is has requests of that path only. */
    RawRequest cookie(String cookie) {
        path = path(cookie) + path.substring(1);
        return header("Cookie: " + cookie.replaceFirst(";.*", ""));
    }

    /** Returns the path of a cookie. */
    static String path(String cookie) {
        int path = cookie.indexOf("; Path=");
        return path < 0 ? "/" : cookie.substring(path).replaceFirst("; Path=([^;]*).*", "$1");
    }

    Response send() {
        try (Socket socket = open()) {
            BufferedReader in = reader(socket);
            List<String> head = head(in);
            StringBuilder text = new StringBuilder();
            // A stream that should have been refused never ends.
            boolean stream = head.stream().anyMatch(line -> line.contains("text/event-stream"));
            for (int c = in.read(); c >= 0 && !stream; c = in.read()) {
                text.append((char) c);
            }
            return new Response(Integer.parseInt(head.get(0).split(" ", -1)[1]), head, text.toString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Opens the connection and sends the request; the caller reads. */
    Socket open() throws IOException {
        Socket socket = new Socket("127.0.0.1", port);
        socket.setSoTimeout(LIMIT_MILLIS);
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        List<String> lines = new ArrayList<>();
        lines.add(method + " " + path + " HTTP/1.0");
        lines.addAll(headers);
        if (method.equals("POST")) {
            lines.add("Content-Length: " + bytes.length);
        }
        socket.getOutputStream()
                .write((String.join("\r\n", lines) + "\r\n\r\n" + body).getBytes(StandardCharsets.UTF_8));
        return socket;
    }

    static BufferedReader reader(Socket socket) throws IOException {
        return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    }

    static List<String> head(BufferedReader in) throws IOException {
        List<String> head = new ArrayList<>();
        for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
            head.add(line);
        }
        return head;
    }
}
