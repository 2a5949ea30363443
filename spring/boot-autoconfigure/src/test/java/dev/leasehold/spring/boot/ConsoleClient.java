package dev.leasehold.spring.boot;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.context.ConfigurableApplicationContext;

/** A browser with the page of the console: it keeps cookies, follows no redirect, and sends what the page sends. */
public final class ConsoleClient {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern TOKEN = Pattern.compile("name=\"_csrf\"[^>]*value=\"([^\"]+)\"");

    private final HttpClient http =
            HttpClient.newBuilder().cookieHandler(new CookieManager()).build();
    private final Map<String, String> headers = new LinkedHashMap<>();
    private final String root;
    private final String console;

    private ConsoleClient(String root, String context) {
        this.root = root;
        this.console = root + context + "/leasehold";
    }

    public static ConsoleClient of(ConfigurableApplicationContext application) {
        var environment = application.getEnvironment();
        return new ConsoleClient(
                "http://localhost:" + environment.getProperty("local.server.port"),
                environment.getProperty("server.servlet.context-path", ""));
    }

    /** Adds a header to all further requests. */
    ConsoleClient with(String name, String value) {
        headers.put(name, value);
        return this;
    }

    /** Signs in with each request. */
    public ConsoleClient as(String user) {
        byte[] credentials = (user + ":secret").getBytes(StandardCharsets.UTF_8);
        return with("Authorization", "Basic " + Base64.getEncoder().encodeToString(credentials));
    }

    String origin() {
        return root;
    }

    private HttpRequest.Builder request(String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(console + path));
        headers.forEach(request::header);
        return request;
    }

    private <T> HttpResponse<T> send(HttpRequest.Builder request, BodyHandler<T> body) {
        try {
            return http.send(request.build(), body);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    public HttpResponse<String> get(String path) {
        return send(request(path), BodyHandlers.ofString());
    }

    /** Gets a resource of the application, not of the console. */
    public HttpResponse<String> getOfApplication(String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(root + path));
        headers.forEach(request::header);
        return send(request, BodyHandlers.ofString());
    }

    /** Deletes a resource of the application, not of the console. */
    HttpResponse<String> deleteOfApplication(String path) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(root + path)).DELETE();
        headers.forEach(request::header);
        return send(request, BodyHandlers.ofString());
    }

    HttpResponse<String> send(String method, String path) {
        return send(request(path).method(method, BodyPublishers.noBody()), BodyHandlers.ofString());
    }

    /** Posts a form of the application, not of the console. */
    HttpResponse<String> form(String path, Map<String, String> fields) {
        StringBuilder body = new StringBuilder();
        fields.forEach((name, value) -> body.append(name)
                .append('=')
                .append(URLEncoder.encode(value, StandardCharsets.UTF_8))
                .append('&'));
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(root + path))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString(body.toString()));
        return send(request, BodyHandlers.ofString());
    }

    /** Returns the token in a form of the application. */
    String tokenOfForm(String path) {
        String page = send(HttpRequest.newBuilder(URI.create(root + path)), BodyHandlers.ofString())
                .body();
        Matcher token = TOKEN.matcher(page);
        if (!token.find()) {
            throw new IllegalStateException("no token in " + page);
        }
        return token.group(1);
    }

    /** Returns what the session requires of a POST: one header with its possible values, or none. */
    Map<String, List<String>> postHeaders() {
        Map<String, List<String>> required = new LinkedHashMap<>();
        JsonNode session = json(get("/api/session").body());
        session.get("postHeaders").fields().forEachRemaining(header -> {
            List<String> values = JSON.convertValue(
                    header.getValue(), JSON.getTypeFactory().constructCollectionType(List.class, String.class));
            required.put(header.getKey(), values);
        });
        return required;
    }

    /** Carries out an action as the page does: with each value of the header until the console itself answers. */
    public HttpResponse<String> act(String action, String lock) {
        for (Map.Entry<String, List<String>> header : postHeaders().entrySet()) {
            for (String value : header.getValue()) {
                HttpResponse<String> reply = post(action, lock, Map.of("Origin", origin(), header.getKey(), value));
                if (reply.headers().firstValue("X-Leasehold-Console").isPresent()) {
                    return reply;
                }
            }
        }
        return post(action, lock, Map.of("Origin", origin()));
    }

    HttpResponse<String> post(String action, String lock, Map<String, String> more) {
        HttpRequest.Builder request = request("/api/actions/" + action)
                .header("Content-Type", "application/json")
                .header("X-Leasehold-Console", "1")
                .POST(BodyPublishers.ofString(JSON.createObjectNode()
                        .put("name", lock)
                        .put("typed", lock)
                        .put("reason", "it hangs")
                        .toString()));
        more.forEach(request::setHeader);
        return send(request, BodyHandlers.ofString());
    }

    static JsonNode json(String text) {
        try {
            return JSON.readTree(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public Stream watch(String query) {
        HttpResponse<InputStream> reply = send(request("/api/events?" + query), BodyHandlers.ofInputStream());
        return new Stream(reply, new BufferedReader(new InputStreamReader(reply.body(), StandardCharsets.UTF_8)));
    }

    /** An open stream. */
    public record Stream(HttpResponse<InputStream> reply, BufferedReader lines) implements AutoCloseable {

        /** Returns the first state that has the property. */
        public JsonNode until(Predicate<JsonNode> property) throws IOException {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("data: ") && property.test(json(line.substring("data: ".length())))) {
                    return json(line.substring("data: ".length()));
                }
            }
            throw new IllegalStateException("the stream has ended");
        }

        JsonNode next() throws IOException {
            return until(any -> true);
        }

        /** Returns the last line before the end. */
        String end() throws IOException {
            String last = "";
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                last = line.isEmpty() ? last : last.startsWith("event:") ? last + "|" + line : line;
            }
            return last;
        }

        @Override
        public void close() {
            try {
                lines.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
