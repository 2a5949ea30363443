package dev.leasehold.console;

import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The user of a request, as the server before the console has established it. Create one for each request, so that a role that is
 * withdrawn takes effect with the next one.
 *
 * @param user the name of the user, which the log of actions contains; empty if users have no names
 * @param mayAct whether the user may ask for a release and take locks away
 * @param postHeaders headers that the server requires of a {@code POST}, such as a token against CSRF: for each name the values,
 *     which the page tries in this order until the console answers
 */
public record ConsoleSession(String user, boolean mayAct, Map<String, List<String>> postHeaders) {

    /** Copies the headers. */
    public ConsoleSession {
        Objects.requireNonNull(user, "user");
        postHeaders = Map.copyOf(postHeaders);
    }

    /**
     * Creates the session of a user without a name.
     *
     * @param mayAct whether the user may ask for a release and take locks away
     * @return the session
     */
    public static ConsoleSession unnamed(boolean mayAct) {
        return new ConsoleSession("", mayAct, Map.of());
    }
}
