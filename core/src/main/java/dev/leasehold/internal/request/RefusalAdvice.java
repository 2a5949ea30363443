package dev.leasehold.internal.request;

import dev.leasehold.internal.key.Names;
import dev.leasehold.spi.RedisErrorException;
import java.util.Collection;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Advice for people after Redis refused a command, each without a full stop at its end. */
public final class RefusalAdvice {

    private static final Pattern UNKNOWN = Pattern.compile("unknown (redis )?command", Pattern.CASE_INSENSITIVE);

    /** Redis 6.2 quotes a command that it does not know in another way. */
    private static final Pattern OF_EVAL = Pattern.compile("['`]eval(sha)?['`]", Pattern.CASE_INSENSITIVE);

    private static final Pattern USER = Pattern.compile("^NOPERM User (.+) has no permissions");

    private RefusalAdvice() {}

    /**
     * Returns what to do about a refusal.
     *
     * @param grant what to do if the user lacks a right
     */
    public static String of(RedisErrorException refusal, String grant) {
        if (isUnknown(refusal)) {
            return "The server does not know the command: undo its rename-command, or use a service that offers it";
        }
        if (refusal.refusesCredentials()) {
            return "Correct the user name and the password that the client was given";
        }
        return switch (ErrorReactions.of(refusal)) {
            case NOT_PERMITTED -> grant;
            case RETRY -> "The state passes: try again later";
            case OUT_OF_MEMORY -> "Redis is out of memory: raise maxmemory, or remove data";
            case REFUSED -> "Check the log of Redis";
        };
    }

    /**
     * Returns what to do about a refusal of the commands that begin a connection. Servers refuse user and password by many replies.
     *
     * @param check what to check of user and password
     */
    public static String ofLogin(RedisErrorException refusal, String check) {
        return isUnknown(refusal) || ErrorReactions.of(refusal) == ErrorReactions.Reaction.RETRY
                ? of(refusal, check)
                : check;
    }

    private static boolean isUnknown(RedisErrorException refusal) {
        return UNKNOWN.matcher(String.valueOf(refusal.getMessage())).find();
    }

    /** Returns the reason of a failure as a message has it, and after a refusal what to do about it. */
    public static String explain(@Nullable Throwable failure) {
        String reason = RequestFailures.reason(failure);
        return failure instanceof RedisErrorException error && ErrorReactions.of(error) != ErrorReactions.Reaction.RETRY
                ? reason + ". " + ofScript(error)
                : reason;
    }

    /** Returns what to do about a refusal of a script, or of a command in it. */
    public static String ofScript(RedisErrorException refusal) {
        return refusesScripts(refusal)
                ? "Every lock needs scripts. " + of(refusal, grant(refusal, List.of("+eval", "+evalsha")))
                : of(
                        refusal,
                        "Grant the user the commands and the key pattern that docs/operations.md, section 2, lists");
    }

    /** Returns whether Redis refused to run any script, and not a command in one. */
    public static boolean refusesScripts(RedisErrorException refusal) {
        return OF_EVAL.matcher(String.valueOf(refusal.getMessage())).find();
    }

    /** Returns the command that grants rights, with the user if Redis named it. */
    public static String grant(RedisErrorException refusal, Collection<String> rights) {
        Matcher user = USER.matcher(String.valueOf(refusal.getMessage()));
        return "Let an administrator run ACL SETUSER " + (user.find() ? Names.escape(user.group(1)) : "<user>") + " "
                + String.join(" ", rights) + "; docs/operations.md, section 2, lists all rights";
    }
}
