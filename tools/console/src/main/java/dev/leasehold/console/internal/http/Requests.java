package dev.leasehold.console.internal.http;

import dev.leasehold.console.ConsoleRequest;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads requests of any server, with limits on their size, and tells those of the page from those of other pages. A foreign page
 * that posts sends its own Origin and cannot set the header.
 */
public final class Requests {

    /** A header that a form or an image of another page cannot send without permission. */
    private static final String HEADER = "X-Leasehold-Console";

    /** The largest body of a request, in bytes. */
    private static final int LARGEST_BODY = 16 * 1024;

    /** The longest query of a request: a lock name of 512 bytes, each of them as %XX, and more. */
    private static final int LONGEST_QUERY = 4 * 1024;

    private Requests() {}

    /** Returns whether the query is longer than any that the page sends. */
    public static boolean hasLongQuery(ConsoleRequest request) {
        String query = request.query();
        return query != null && query.length() > LONGEST_QUERY;
    }

    /** Returns whether the browser says that the page of another site, or of another port, has sent the request. */
    public static boolean isFromElsewhere(ConsoleRequest request) {
        List<String> site = request.headers("Sec-Fetch-Site");
        return !site.isEmpty() && !site.get(0).equals("same-origin");
    }

    /** Returns whether a request that may change something comes from the page of this console. */
    public static boolean isFromPage(ConsoleRequest request, String origin) {
        List<String> type = request.headers("Content-Type");
        return !isFromElsewhere(request)
                && request.headers("Origin").equals(List.of(origin))
                && request.headers(HEADER).equals(List.of("1"))
                && !type.isEmpty()
                && type.get(0).equals("application/json");
    }

    /** Returns the body as UTF-8; empty if it is too large. */
    public static Optional<String> body(ConsoleRequest request) throws IOException {
        try (InputStream in = request.body()) {
            byte[] bytes = in.readNBytes(LARGEST_BODY + 1);
            return bytes.length > LARGEST_BODY
                    ? Optional.empty()
                    : Optional.of(new String(bytes, StandardCharsets.UTF_8));
        }
    }

    /**
     * Returns the parameters of the query; of several with one name, the last.
     *
     * @throws IllegalArgumentException if the query cannot be decoded
     */
    public static Map<String, String> parameters(ConsoleRequest request) {
        Map<String, String> parameters = new HashMap<>();
        String query = request.query();
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
}
