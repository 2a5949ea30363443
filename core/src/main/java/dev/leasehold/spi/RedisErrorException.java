package dev.leasehold.spi;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Redis answered with an error. Adapters turn their client's exception for an error reply into this one. Its message is the
 * reply; of an error inside a script the one that later servers send, without the frame that Redis 6.2 puts around it; and of a
 * command that the server does not know without its arguments, which may be a password.
 */
public final class RedisErrorException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** The frame of Redis 6.2: an ERR that quotes the reply, with or without its minus. */
    private static final Pattern INSIDE_SCRIPT =
            Pattern.compile("^ERR Error running script .*@user_script: ?\\d+: -?(?=[A-Z]+ )");

    private static final String UNKNOWN_COMMAND = "ERR unknown command ";
    private static final String ARGUMENTS = ", with args beginning with";

    /**
     * Wraps an error reply.
     *
     * @param message the whole reply, without the leading minus
     */
    public RedisErrorException(String message) {
        super(withoutArguments(withoutFrame(String.valueOf(message))));
    }

    private static String withoutArguments(String reply) {
        int arguments = reply.startsWith(UNKNOWN_COMMAND) ? reply.indexOf(ARGUMENTS) : -1;
        return arguments < 0 ? reply : reply.substring(0, arguments);
    }

    private static String withoutFrame(String reply) {
        Matcher frame = INSIDE_SCRIPT.matcher(reply);
        return frame.find() ? reply.substring(frame.end()) : reply;
    }

    /**
     * Returns the first word of the reply, such as {@code OOM} or {@code NOPERM}.
     *
     * @return the code
     */
    public String code() {
        String message = String.valueOf(getMessage());
        int space = message.indexOf(' ');
        return space < 0 ? message : message.substring(0, space);
    }
}
