package dev.leasehold.console.internal.http;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Refuses requests that no page of this console has sent. A foreign page whose name resolves to loopback (DNS rebinding)
 * sends its own Host; a foreign page that posts sends its own Origin and cannot set the header.
 */
final class Guard {

    /** A header that a form or an image of another page cannot send without permission. */
    static final String HEADER = "X-Leasehold-Console";

    private final Set<String> hosts;
    private final String cookie;
    private final Sessions sessions;

    Guard(int port, Sessions sessions) {
        this.hosts = Set.of("127.0.0.1:" + port, "localhost:" + port, "[::1]:" + port);
        this.cookie = "leasehold-console-" + port;
        this.sessions = sessions;
    }

    /** Returns whether the request is for this console and, as far as the browser tells, comes from its own page. */
    boolean isForThisHost(HttpExchange exchange) {
        List<String> host = exchange.getRequestHeaders().getOrDefault("Host", List.of());
        return host.size() == 1 && hosts.contains(host.get(0));
    }

    /** Returns whether the browser says that the page of another site, or of another port, has sent the request. */
    boolean isFromElsewhere(HttpExchange exchange) {
        String site = first(exchange, "Sec-Fetch-Site");
        return site != null && !site.equals("same-origin");
    }

    /** Returns whether a request that may change something comes from the page of this console. */
    boolean isFromThisPage(HttpExchange exchange) {
        Headers headers = exchange.getRequestHeaders();
        List<String> origin = headers.getOrDefault("Origin", List.of());
        return origin.equals(List.of("http://" + first(exchange, "Host")))
                && headers.getOrDefault(HEADER, List.of()).equals(List.of("1"))
                && "application/json".equals(first(exchange, "Content-Type"));
    }

    /** Returns whether the request has the cookie of the session. */
    boolean hasSession(HttpExchange exchange) {
        for (String header : exchange.getRequestHeaders().getOrDefault("Cookie", List.of())) {
            for (String pair : header.split(";", -1)) {
                int equals = pair.indexOf('=');
                if (equals > 0
                        && pair.substring(0, equals).strip().equals(cookie)
                        && sessions.isValid(pair.substring(equals + 1).strip())) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Returns the value of the header that gives the session to the browser, until that is closed. */
    String cookie(String session) {
        return cookie + "=" + session + "; Path=/; HttpOnly; SameSite=Strict";
    }

    private static @Nullable String first(HttpExchange exchange, String header) {
        return exchange.getRequestHeaders().getFirst(header);
    }
}
