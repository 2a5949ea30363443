package dev.leasehold.fencing;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Map.Entry;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Problem details by RFC 9457.
 *
 * @param status the HTTP status
 * @param members the members of the body: texts, or numbers, which are below 2^53 and so exact in JSON
 */
record Problem(int status, Map<String, Object> members) {

    static Problem badRequest(@Nullable String detail) {
        return of(400, "bad-fencing-token", "Fencing token missing or malformed", String.valueOf(detail));
    }

    static Problem stale(StaleTokenException refusal) {
        Problem problem = of(
                409,
                "stale-fencing-token",
                "Stale fencing token",
                "A later holder of the lock has used this resource, so the lease of this request is over: stop its work.");
        problem.members.put("resource", refusal.resource());
        problem.members.put("token", refusal.token());
        refusal.highest().ifPresent(highest -> problem.members.put("highest", highest));
        return problem;
    }

    private static Problem of(int status, String type, String title, String detail) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("type", "tag:leasehold.dev,2026:" + type);
        members.put("title", title);
        members.put("status", status);
        members.put("detail", detail);
        return new Problem(status, members);
    }

    void write(HttpServletResponse response) throws IOException {
        byte[] body = json().getBytes(StandardCharsets.UTF_8);
        response.setStatus(status);
        response.setContentType("application/problem+json");
        response.setHeader("Cache-Control", "no-store");
        // Without a content length, the server still buffers the whole answer when the filter returns. Only then can it
        // add the header that closes the connection, which is needed because the body of the request was not read.
        response.getOutputStream().write(body);
    }

    String json() {
        return members.entrySet().stream().map(Problem::member).collect(Collectors.joining(",", "{", "}"));
    }

    private static String member(Entry<String, Object> member) {
        Object value = member.getValue();
        return quote(member.getKey()) + ":" + (value instanceof Number ? value.toString() : quote(value.toString()));
    }

    private static String quote(String text) {
        StringBuilder out = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ') {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        return out.append('"').toString();
    }
}
