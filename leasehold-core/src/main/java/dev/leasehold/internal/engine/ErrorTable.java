package dev.leasehold.internal.engine;

import dev.leasehold.spi.RedisErrorException;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** From the first word of an error reply to what an acquisition does about it. Renewals retry whatever it is. */
final class ErrorTable {

    /** What to do. */
    enum Reaction {
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
            "NOTBUSY");
    private static final Set<String> RIGHTS = Set.of("NOPERM", "NOAUTH", "WRONGPASS");

    /** How Redis 6.2 reports what failed inside a script: as an ERR that quotes the reply, with or without its minus. */
    private static final Pattern INSIDE_SCRIPT =
            Pattern.compile("^ERR Error running script .*@user_script: ?\\d+: -?([A-Z]+) ");

    private ErrorTable() {}

    private static String code(RedisErrorException error) {
        Matcher inside = INSIDE_SCRIPT.matcher(String.valueOf(error.getMessage()));
        return inside.find() ? inside.group(1) : error.code().toUpperCase(Locale.ROOT);
    }

    static Reaction of(RedisErrorException error) {
        String code = code(error);
        if (PASSING.contains(code)) {
            return Reaction.RETRY;
        }
        if (RIGHTS.contains(code)) {
            return Reaction.NOT_PERMITTED;
        }
        String text = String.valueOf(error.getMessage());
        if (code.equals("OOM") || text.contains("command not allowed when used memory")) {
            return Reaction.OUT_OF_MEMORY;
        }
        // What a script may not do is reported by 7.0 as a plain ERR.
        if (text.contains("executing the script can't") || text.contains("ACL failure in script")) {
            return Reaction.NOT_PERMITTED;
        }
        return Reaction.REFUSED;
    }
}
