package dev.leasehold.internal.request;

import dev.leasehold.spi.RedisErrorException;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * From the first word of an error reply to what an acquisition does about it. Renewals retry whatever it is. The same table
 * stands in section 7 of {@code docs/operations.md}, which the test reads.
 */
public final class ErrorReactions {

    /** What to do. */
    public enum Reaction {
        /** A state that passes: try again while there is time. */
        RETRY,
        /** Redis is full: tell the caller, in its own words. */
        OUT_OF_MEMORY,
        /** The user may not do this: tell the caller which rights are needed. */
        NOT_PERMITTED,
        /** Unknown: tell the caller what Redis said. */
        REFUSED
    }

    private static final Set<String> PASSING = Set.of(
            "BUSY",
            "LOADING",
            "MASTERDOWN",
            "READONLY",
            "TRYAGAIN",
            "CLUSTERDOWN",
            "MOVED",
            "ASK",
            "NOREPLICAS",
            "MISCONF",
            "UNKILLABLE",
            "NOTBUSY",
            // An adapter sends the script then; what comes here did not run either.
            "NOSCRIPT");
    /** Refused with a plain ERR, and passing all the same. */
    private static final String TOO_MANY_CLIENTS = "ERR max number of clients reached";

    private static final String FULL = "OOM";
    private static final Set<String> RIGHTS = Set.of("NOPERM", "NOAUTH", "WRONGPASS");

    /** How Redis 6.2 reports what failed inside a script: as an ERR that quotes the reply, with or without its minus. */
    private static final Pattern INSIDE_SCRIPT =
            Pattern.compile("^ERR Error running script .*@user_script: ?\\d+: -?([A-Z]+) ");

    private ErrorReactions() {}

    /** The first words that have a reaction of their own. */
    static Set<String> codes() {
        return Stream.of(PASSING, RIGHTS, Set.of(FULL)).flatMap(Set::stream).collect(Collectors.toUnmodifiableSet());
    }

    private static String code(RedisErrorException error) {
        Matcher inside = INSIDE_SCRIPT.matcher(String.valueOf(error.getMessage()));
        return inside.find() ? inside.group(1) : error.code().toUpperCase(Locale.ROOT);
    }

    /** What the reply says, without what Redis 6.2 puts before it. */
    public static String said(RedisErrorException error) {
        String text = String.valueOf(error.getMessage());
        Matcher inside = INSIDE_SCRIPT.matcher(text);
        return inside.find() ? text.substring(inside.start(1)) : text;
    }

    public static Reaction of(RedisErrorException error) {
        String code = code(error);
        String text = String.valueOf(error.getMessage());
        if (PASSING.contains(code) || text.startsWith(TOO_MANY_CLIENTS)) {
            return Reaction.RETRY;
        }
        if (RIGHTS.contains(code)) {
            return Reaction.NOT_PERMITTED;
        }
        if (code.equals(FULL) || text.contains("command not allowed when used memory")) {
            return Reaction.OUT_OF_MEMORY;
        }
        // What a script may not do is reported by 7.0 as a plain ERR.
        if (text.contains("executing the script can't") || text.contains("ACL failure in script")) {
            return Reaction.NOT_PERMITTED;
        }
        return Reaction.REFUSED;
    }
}
