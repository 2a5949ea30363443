package dev.leasehold.testkit;

/**
 * Thrown when the server answers a command with an error; {@link #getMessage()} is that error, beginning with its
 * prefix.
 */
public final class RedisReplyException extends EmbeddedRedisException {

    private static final long serialVersionUID = 1L;

    RedisReplyException(String error) {
        super(error);
    }

    /** Returns the first word of the error, such as {@code NOAUTH}, {@code WRONGTYPE} or {@code ERR}. */
    public String prefix() {
        String message = String.valueOf(getMessage());
        int space = message.indexOf(' ');
        return space < 0 ? message : message.substring(0, space);
    }
}
