package dev.leasehold.internal.client;

import dev.leasehold.LockUnavailableException;
import dev.leasehold.internal.connect.ServerQueries;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.request.RefusalAdvice;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.RedisNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

/** Lists keys of servers by SCAN. */
final class LockScan {

    private final ServerQueries queries;
    private final ListedKeys listed;

    LockScan(ServerQueries queries, ListedKeys listed) {
        this.queries = queries;
        this.listed = listed;
    }

    /**
     * Lists the keys of each primary.
     *
     * @param found called with the keys of each primary that answers; what it reads there may remain without an answer, too
     * @param silent called for each that gives no answer
     */
    void run(Consumer<List<LockKey>> found, BiConsumer<RedisNode, LockUnavailableException> silent) {
        for (RedisNode node : queries.describe().nodes()) {
            if (node.primary()) {
                try {
                    found.accept(keys(node));
                } catch (LockUnavailableException e) {
                    if (e.getCause() instanceof RedisErrorException) {
                        throw e;
                    }
                    silent.accept(node, e);
                }
            }
        }
    }

    /**
     * Reads what is under the keys of each primary.
     *
     * @param reading reads the keys of one primary
     * @param name the name of a result
     * @param silent called for each primary that gives no answer
     * @return the results, ordered by name
     */
    <T> List<T> read(
            Function<List<LockKey>, List<T>> reading,
            Function<T, String> name,
            BiConsumer<RedisNode, LockUnavailableException> silent) {
        TreeMap<String, T> found = new TreeMap<>();
        run(keys -> reading.apply(keys).forEach(one -> found.put(name.apply(one), one)), silent);
        return new ArrayList<>(found.values());
    }

    /** Ends a listing at the first server that does not answer. */
    static void mustAnswer(RedisNode node, LockUnavailableException failure) {
        throw failure;
    }

    /** Returns what tells the address of each server that does not answer. */
    static BiConsumer<RedisNode, LockUnavailableException> telling(Consumer<String> unreachable) {
        Objects.requireNonNull(unreachable, "unreachable");
        return (node, failure) -> unreachable.accept(node.toString());
    }

    private List<LockKey> keys(RedisNode node) {
        List<String> keys;
        try {
            keys = queries.scan(node, listed.type(), listed.match());
        } catch (RedisErrorException e) {
            throw new LockUnavailableException(
                    "",
                    false,
                    "Redis refused to list the locks: " + e.getMessage() + ". "
                            + RefusalAdvice.of(e, "The user needs +scan"),
                    e);
        }
        // SCAN may return a key several times.
        return keys.stream()
                .distinct()
                .map(listed.read())
                .filter(Objects::nonNull)
                .toList();
    }
}
