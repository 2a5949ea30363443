package dev.leasehold.shedlock;

import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The jobs that a thread runs, the innermost last. Another thread may end a job, or none may end it. So jobs that are
 * over or unreachable are dropped when the next job begins.
 */
final class Jobs {

    private static final ThreadLocal<List<WeakReference<Job>>> OF_THREAD = ThreadLocal.withInitial(List::of);

    private Jobs() {}

    static void begin(Job job) {
        OF_THREAD.set(
                Stream.concat(running(), Stream.of(job)).map(WeakReference::new).toList());
    }

    static void end(Job job) {
        job.end();
        List<WeakReference<Job>> rest = running().map(WeakReference::new).toList();
        if (rest.isEmpty()) {
            OF_THREAD.remove();
        } else {
            OF_THREAD.set(rest);
        }
    }

    static Optional<Job> innermost() {
        return running().reduce((outer, inner) -> inner);
    }

    private static Stream<Job> running() {
        return OF_THREAD.get().stream()
                .map(WeakReference::get)
                .filter(Objects::nonNull)
                .filter(job -> !job.over());
    }
}
