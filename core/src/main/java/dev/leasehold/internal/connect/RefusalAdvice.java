package dev.leasehold.internal.connect;

import dev.leasehold.spi.RedisErrorException;
import java.util.regex.Pattern;

/** Advice for people after Redis refused a command. */
public final class RefusalAdvice {

    private static final Pattern UNKNOWN = Pattern.compile("unknown (redis )?command", Pattern.CASE_INSENSITIVE);

    private RefusalAdvice() {}

    /**
     * Returns what to do about a refusal.
     *
     * @param grant what to do if the user lacks a right; a right does not help if the server does not know the command
     */
    public static String of(RedisErrorException refusal, String grant) {
        return UNKNOWN.matcher(String.valueOf(refusal.getMessage())).find()
                ? "The server does not know the command: undo its rename-command, or use a service that offers it."
                : grant;
    }
}
