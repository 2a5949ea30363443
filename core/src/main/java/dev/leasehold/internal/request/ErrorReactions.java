package dev.leasehold.internal.request;

import dev.leasehold.spi.RedisErrorException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Maps the first word of an error reply to the reaction of an acquisition. Renewals retry after every error. Section 7 of
 * {@code docs/operations.md} has the same table, which the test compares.
 */
public final class ErrorReactions {

    /** The reaction to an error reply. */
    public enum Reaction {
        /** A transient state: try again while there is time. */
        RETRY,
        /** Redis is out of memory: throw the exception for that. */
        OUT_OF_MEMORY,
        /** The user lacks a right, or the server does not know the command: name what is needed. */
        NOT_PERMITTED,
        /** Unknown: quote the reply. */
        REFUSED
    }

    /** The server became a replica while it counted acknowledgements, so after the write. */
    private static final String UNBLOCKED = "UNBLOCKED";

    private static final Set<String> TRANSIENT = Set.of(
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
            UNBLOCKED,
            // The adapter loads the script and repeats the call; if NOSCRIPT arrives here, the script did not run.
            "NOSCRIPT");
    /** A transient state that Redis reports with a plain ERR. */
    private static final String TOO_MANY_CLIENTS = "ERR max number of clients reached";

    /**
     * Transient states of a cluster that a script reports with a plain ERR. ElastiCache Serverless reports the first while it
     * scales, though the script names its only key.
     */
    private static final List<String> INSIDE_CLUSTER =
            List.of("attempted to access a non local key", "while the cluster is down");

    private static final String OUT_OF_MEMORY = "OOM";

    private ErrorReactions() {}

    /** The first words of states that pass, and of a lack of memory. */
    static Set<String> codes() {
        return Stream.concat(TRANSIENT.stream(), Stream.of(OUT_OF_MEMORY)).collect(Collectors.toUnmodifiableSet());
    }

    private static String code(RedisErrorException error) {
        return error.code().toUpperCase(Locale.ROOT);
    }

    /** Returns whether a request failed because the user lacks a right, or the server does not know the command. */
    public static boolean isNotPermitted(Throwable failure) {
        return failure instanceof RedisErrorException error && of(error) == Reaction.NOT_PERMITTED;
    }

    /** Returns the reaction to an error reply. */
    public static Reaction of(RedisErrorException error) {
        String code = code(error);
        String text = String.valueOf(error.getMessage());
        if (TRANSIENT.contains(code) || text.startsWith(TOO_MANY_CLIENTS) || isInsideCluster(text)) {
            return Reaction.RETRY;
        }
        if (error.refusesUser() || error.isUnknownCommand()) {
            return Reaction.NOT_PERMITTED;
        }
        if (code.equals(OUT_OF_MEMORY) || text.contains("command not allowed when used memory")) {
            return Reaction.OUT_OF_MEMORY;
        }
        // Redis 7.0 reports a missing right inside a script as a plain ERR.
        if (text.contains("executing the script can't") || text.contains("ACL failure in script")) {
            return Reaction.NOT_PERMITTED;
        }
        return Reaction.REFUSED;
    }

    /**
     * Returns whether a transient state may have been reported after a write of the same script. A retry finds what was
     * written by its acquisition id; a caller that gives up must have it undone.
     */
    static boolean mayFollowAWrite(RedisErrorException error) {
        return code(error).equals(UNBLOCKED) || isInsideCluster(String.valueOf(error.getMessage()));
    }

    private static boolean isInsideCluster(String text) {
        return INSIDE_CLUSTER.stream().anyMatch(text::contains);
    }
}
