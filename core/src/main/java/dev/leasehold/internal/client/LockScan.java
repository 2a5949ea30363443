package dev.leasehold.internal.client;

import dev.leasehold.LockUnavailableException;
import dev.leasehold.internal.connect.ServerQueries;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.request.RefusalAdvice;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.RedisNode;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

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

    /** Ends a listing at the first server that does not answer. */
    static void mustAnswer(RedisNode node, LockUnavailableException failure) {
        throw failure;
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
