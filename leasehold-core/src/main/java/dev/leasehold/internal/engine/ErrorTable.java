package dev.leasehold.internal.engine;

import dev.leasehold.spi.RedisErrorException;
import java.util.Locale;
import java.util.Set;

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

    private ErrorTable() {}

    static Reaction of(RedisErrorException error) {
        String code = error.code().toUpperCase(Locale.ROOT);
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
