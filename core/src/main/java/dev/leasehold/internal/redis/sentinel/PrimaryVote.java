package dev.leasehold.internal.redis.sentinel;

import dev.leasehold.spi.RedisAddress;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.TransportException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Counts the answers of Sentinels: an answer of a majority counts at once, and when all have answered or failed, the most
 * frequent one. Not safe for use by several threads.
 */
final class PrimaryVote {

    private final Map<RedisAddress, Integer> votes = new HashMap<>();
    private final int voters;
    private int outstanding;
    private boolean decided;
    private final List<RuntimeException> failures = new ArrayList<>();

    PrimaryVote(int voters) {
        this.voters = voters;
        outstanding = voters;
    }

    /** Counts a reply; a Sentinel that knows no such primary answers nil. */
    void answered(@Nullable Object reply) {
        outstanding--;
        if (reply instanceof List<?> named && named.size() == 2) {
            RedisAddress address =
                    new RedisAddress(String.valueOf(named.get(0)), Integer.parseInt(String.valueOf(named.get(1))));
            votes.merge(address, 1, Integer::sum);
        }
    }

    /** Counts a Sentinel that did not answer. */
    void failed(RuntimeException reason) {
        outstanding--;
        failures.add(reason);
    }

    /** Returns true once: as soon as further answers do not count. */
    boolean decides() {
        if (decided || (outcome() == null && outstanding > 0)) {
            return false;
        }
        decided = true;
        return true;
    }

    /** Returns the elected primary, or null if there is none. */
    @Nullable
    RedisAddress outcome() {
        return votes.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .filter(most -> outstanding == 0 || most.getValue() > voters / 2)
                .map(Map.Entry::getKey)
                .orElse(null);
    }

    /** Returns why Sentinels did not answer: an error reply rather than anything else, else what each met; null if all answered. */
    @Nullable
    RuntimeException failure() {
        if (failures.isEmpty()) {
            return null;
        }
        return failures.stream()
                .filter(RedisErrorException.class::isInstance)
                .findFirst()
                .orElseGet(() -> failures.size() == 1 ? failures.get(0) : all());
    }

    private TransportException all() {
        String each = failures.stream().map(Throwable::getMessage).collect(Collectors.joining("; "));
        return new TransportException("no answer from the Sentinels: " + each, false, failures.get(0));
    }
}
