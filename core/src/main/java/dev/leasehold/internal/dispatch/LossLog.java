package dev.leasehold.internal.dispatch;

import dev.leasehold.spi.Timer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs losses of leases. A server that restarts empty takes all leases of a client at once, so losses are collected for a moment: a few
 * get a line each, and many get one line together. Safe for use by any thread.
 */
public final class LossLog {

    private static final Logger LOG = LoggerFactory.getLogger("dev.leasehold.leases");
    private static final long COLLECTED_MILLIS = 500;
    private static final int MOST_LINES = 10;

    private final Timer timer;
    private final ReentrantLock lock = new ReentrantLock();
    /** The first losses since the last lines, and the number of all by reason. Guarded by the lock, like all below. */
    private List<Lost> first = new ArrayList<>();

    private Map<String, Integer> reasons = new LinkedHashMap<>();

    private record Lost(String lockName, String line) {}

    public LossLog(Timer timer) {
        this.timer = timer;
    }

    /**
     * Logs a loss soon.
     *
     * @param lockName the lock, as messages show it
     * @param reason the reason, the same for all losses of a kind
     * @param line what is said of this loss if it gets a line of its own
     */
    public void add(String lockName, String reason, String line) {
        LOG.debug("{}", line);
        boolean begins;
        lock.lock();
        try {
            begins = reasons.isEmpty();
            reasons.merge(reason, 1, Integer::sum);
            if (first.size() < MOST_LINES) {
                first.add(new Lost(lockName, line));
            }
        } finally {
            lock.unlock();
        }
        if (begins) {
            timer.schedule(this::flush, TimeUnit.MILLISECONDS.toNanos(COLLECTED_MILLIS));
        }
    }

    /** Logs the losses that were collected. */
    public void flush() {
        List<Lost> some;
        Map<String, Integer> all;
        lock.lock();
        try {
            some = first;
            all = reasons;
            first = new ArrayList<>();
            reasons = new LinkedHashMap<>();
        } finally {
            lock.unlock();
        }
        int number = all.values().stream().mapToInt(Integer::intValue).sum();
        if (number <= MOST_LINES) {
            some.forEach(lost -> LOG.warn("{}", lost.line));
            return;
        }
        LOG.warn(
                "lost {} leases within {} ms: {}. The first were of the locks {}. Level DEBUG names all",
                count(number),
                COLLECTED_MILLIS,
                all.entrySet().stream()
                        .map(reason -> reason.getKey() + " (" + count(reason.getValue()) + ")")
                        .collect(Collectors.joining(", ")),
                some.stream().map(Lost::lockName).collect(Collectors.joining(", ")));
    }

    private static String count(int number) {
        return String.format(Locale.ROOT, "%,d", number);
    }
}
