package dev.leasehold.spi;

/**
 * Redis answered with an error. Adapters turn their client's exception for an error reply into this one.
 */
public final class RedisErrorException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * Wraps an error reply.
     *
     * @param message the whole reply, without the leading minus
     */
    public RedisErrorException(String message) {
        super(message);
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
