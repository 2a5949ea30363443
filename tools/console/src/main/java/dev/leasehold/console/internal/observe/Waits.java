package dev.leasehold.console.internal.observe;

import dev.leasehold.inspect.WaiterInfo;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How long callers waited for one lock: the waits in its queue now, and the last ones that refreshes saw there. A wait that began and
 * ended between two refreshes is not seen. Not safe for several threads.
 */
final class Waits {

    /** The most ended waits that are remembered. */
    static final int MOST_ENDED = 100;

    private final Deque<Duration> ended = new ArrayDeque<>();
    private Map<Waiter, Duration> present = Map.of();

    /** One caller in the queue, whatever its position. */
    private record Waiter(
            String host, long pid, String thread, @Nullable String owner, Instant since) {}

    /** Records the queue that a refresh found. */
    void record(List<WaiterInfo> queue, Moment moment) {
        if (queue.isEmpty() && present.isEmpty()) {
            return;
        }
        Map<Waiter, Duration> now = new HashMap<>();
        for (WaiterInfo info : queue) {
            Instant since = info.since();
            if (since != null) {
                Duration waited = Duration.between(since, Instant.ofEpochMilli(moment.wallMillis()));
                now.put(
                        new Waiter(info.host(), info.pid(), info.thread(), info.owner(), since),
                        waited.isNegative() ? Duration.ZERO : waited);
            }
        }
        present.forEach((waiter, waited) -> {
            if (!now.containsKey(waiter)) {
                end(waited);
            }
        });
        present = now;
    }

    private void end(Duration waited) {
        if (ended.size() == MOST_ENDED) {
            ended.removeFirst();
        }
        ended.addLast(waited);
    }

    /** Returns the wait that this share of all is not longer than, or null if none was seen. */
    @Nullable
    Duration quantile(double share) {
        List<Duration> all = new ArrayList<>(ended);
        all.addAll(present.values());
        if (all.isEmpty()) {
            return null;
        }
        Collections.sort(all);
        return all.get((int) Math.ceil(share * all.size()) - 1);
    }
}
