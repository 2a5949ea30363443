package dev.leasehold.internal.check;

import dev.leasehold.LockUnavailableException;
import dev.leasehold.diagnostics.Finding;
import dev.leasehold.diagnostics.Finding.Level;
import dev.leasehold.internal.connect.ServerQueries;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.RedisNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks how large a hash may be that a server keeps as a list. It reads such a hash from the beginning for each field that a script asks for,
 * and HSCAN returns all of it at once, whatever its page: so the time of a script grows with the square of the fields.
 */
final class HashEncodingCheck {

    static final String SUBJECT = "hash-max-listpack-entries";

    /** A script that looks for all waiters of such a lock takes a second or two; the defaults of Redis and Valkey are 128 and 512. */
    private static final long MOST_FIELDS = 4000;

    private HashEncodingCheck() {}

    /**
     * Checks one server, if it answers and the user may read its settings.
     *
     * @param prefix begins the finding; empty, or the name of the node if there are several
     */
    static List<Finding> of(ServerQueries queries, RedisNode node, String prefix) {
        long fields;
        try {
            // Redis before 7.0 says ziplist, later ones have both names.
            fields = largest(queries.command(node, List.of("CONFIG", "GET", "hash-max-*-entries")));
        } catch (RedisErrorException | LockUnavailableException e) {
            return List.of();
        }
        if (fields <= MOST_FIELDS) {
            return List.of();
        }
        return List.of(new Finding(
                Level.WARNING,
                SUBJECT,
                prefix + "Redis keeps hashes of up to " + fields
                        + " fields as a list, and reads it from the beginning for each"
                        + " field: a lock with thousands of waiters or permits would keep the server busy for seconds.",
                "Set hash-max-listpack-entries to its default, or to 512 at most."));
    }

    private static long largest(@Nullable Object reply) {
        return reply instanceof List<?> settings
                ? settings.stream()
                        .map(String::valueOf)
                        .filter(word -> word.matches("\\d{1,18}"))
                        .mapToLong(Long::parseLong)
                        .max()
                        .orElse(0)
                : 0;
    }
}
