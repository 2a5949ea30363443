package dev.leasehold.internal.lease;

import dev.leasehold.event.LossCause;
import dev.leasehold.event.LossEvent;
import dev.leasehold.internal.time.TimeText;
import dev.leasehold.spi.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs losses of leases. A server that restarts empty takes all leases of a client at once, so losses are collected for a moment: a few
 * get a line each, and many get one line together. Safe for use by any thread.
 */
final class LossLog {

    private static final Logger LOG = LoggerFactory.getLogger("dev.leasehold.leases");
    private static final Duration COLLECTED = Duration.ofMillis(500);
    private static final int MOST_LINES = 10;

    private final Timer timer;
    private final ReentrantLock lock = new ReentrantLock();
    /** The first losses since the last lines, and the number of all. Guarded by the lock, like all below. */
    private List<Lost> first = new ArrayList<>();

    private Map<LossCause, Integer> causes = new EnumMap<>(LossCause.class);

    private record Lost(LeaseRecord record, LossEvent loss) {
        @Override
        public String toString() {
            return "lost the lease of lock " + record.key().shown() + " (id "
                    + record.id().shown() + LeaseMessages.token(record.token()) + ") after " + TimeText.of(loss.held())
                    + ": " + LeaseMessages.lossReason(loss.cause());
        }
    }

    LossLog(Timer timer) {
        this.timer = timer;
    }

    /** Logs a loss soon. */
    void add(LeaseRecord record, LossEvent loss) {
        Lost lost = new Lost(record, loss);
        LOG.debug("{}", lost);
        boolean begins;
        lock.lock();
        try {
            begins = causes.isEmpty();
            causes.merge(loss.cause(), 1, Integer::sum);
            if (first.size() < MOST_LINES) {
                first.add(lost);
            }
        } finally {
            lock.unlock();
        }
        if (begins) {
            timer.schedule(this::flush, COLLECTED.toNanos());
        }
    }

    /** Logs the losses that were collected. */
    void flush() {
        List<Lost> some;
        Map<LossCause, Integer> all;
        lock.lock();
        try {
            some = first;
            all = causes;
            first = new ArrayList<>();
            causes = new EnumMap<>(LossCause.class);
        } finally {
            lock.unlock();
        }
        int number = all.values().stream().mapToInt(Integer::intValue).sum();
        if (number <= MOST_LINES) {
            some.forEach(lost -> LOG.warn("{}", lost));
            return;
        }
        LOG.warn(
                "lost {} leases within {}: {}. The first were of the locks {}. Level DEBUG names all",
                count(number),
                TimeText.of(COLLECTED),
                all.entrySet().stream()
                        .map(cause -> LeaseMessages.lossReason(cause.getKey()) + " (" + count(cause.getValue()) + ")")
                        .collect(Collectors.joining(", ")),
                some.stream().map(lost -> lost.record.key().shown()).collect(Collectors.joining(", ")));
    }

    private static String count(int number) {
        return String.format(Locale.ROOT, "%,d", number);
    }
}
