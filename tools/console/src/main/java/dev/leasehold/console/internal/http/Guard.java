package dev.leasehold.console.internal.http;

import dev.leasehold.console.ConsoleRequest;
import java.util.List;
import java.util.Set;

/**
 * Knows the hosts and the session of a console on loopback. A foreign page whose name resolves to loopback (DNS rebinding) sends its
 * own Host.
 */
final class Guard {

    private final Set<String> hosts;
    private final String cookie;
    private final Sessions sessions;

    Guard(int port, Sessions sessions) {
        this.hosts = Set.of("127.0.0.1:" + port, "localhost:" + port, "[::1]:" + port);
        this.cookie = "leasehold-console-" + port;
        this.sessions = sessions;
    }

    /** Returns whether the request is for this console. */
    boolean isForThisHost(ConsoleRequest request) {
        List<String> host = request.headers("Host");
        return host.size() == 1 && hosts.contains(host.get(0));
    }

    /** Returns the origin of the page, by the host that was checked. */
    String origin(ConsoleRequest request) {
        return "http://" + request.headers("Host").get(0);
    }

    /** Returns whether the request, which is for the path of the session, has its cookie. */
    boolean hasSession(ConsoleRequest request) {
        for (String header : request.headers("Cookie")) {
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
        return cookie + "=" + session + "; Path=" + sessions.path() + "; HttpOnly; SameSite=Strict";
    }
}
