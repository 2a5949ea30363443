package dev.leasehold.internal.request;

import dev.leasehold.internal.key.Names;
import dev.leasehold.spi.RedisErrorException;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Advice for people after Redis refused a command. */
public final class RefusalAdvice {

    private static final Set<String> CREDENTIALS = Set.of("WRONGPASS", "NOAUTH");
    private static final Pattern UNKNOWN = Pattern.compile("unknown (redis )?command", Pattern.CASE_INSENSITIVE);

    /** Redis 6.2 quotes a command that it does not know in another way. */
    private static final Pattern OF_EVAL = Pattern.compile("['`]eval(sha)?['`]", Pattern.CASE_INSENSITIVE);

    private static final Pattern USER = Pattern.compile("^NOPERM User (.+) has no permissions");

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

    /** Returns what to do about a refusal of a script, or of a command in it. */
    public static String ofScript(RedisErrorException refusal) {
        if (refusesCredentials(refusal)) {
            return "Correct the user name and the password that the client was given";
        }
        return refusesScripts(refusal)
                ? "Every lock needs scripts. " + of(refusal, grant(refusal, List.of("+eval", "+evalsha")))
                : of(refusal, "Grant the user the commands and the key pattern that docs/operations.md lists");
    }

    /** Returns whether Redis does not know the user by this password, or was given none. */
    public static boolean refusesCredentials(RedisErrorException refusal) {
        return CREDENTIALS.contains(refusal.code());
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
