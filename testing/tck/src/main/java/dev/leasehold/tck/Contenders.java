package dev.leasehold.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.tck.ContendingProcess.Tenure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Eight processes that contend for one lock during a fault of its servers, and the assertions on the result. */
final class Contenders implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Contenders.class);
    private static final int HOW_MANY = 8;

    private final List<ContendingProcess> processes;

    private Contenders(List<ContendingProcess> processes) {
        this.processes = processes;
    }

    /** Starts them; when this returns each has held the lock. */
    static Contenders start(String uri, String name, Duration lease) {
        Contenders all = new Contenders(IntStream.range(0, HOW_MANY)
                .mapToObj(i -> ContendingProcess.start(uri, name, lease))
                .toList());
        try {
            all.processes.forEach(ContendingProcess::begin);
            all.allHaveATurn();
            return all;
        } catch (RuntimeException | Error e) {
            all.close();
            throw e;
        }
    }

    /** Waits until each has held the lock once more. */
    void allHaveATurn() {
        processes.forEach(ContendingProcess::tenures);
        processes.forEach(each -> ContractBase.await().until(() -> each.tenures() > 0));
    }

    /**
     * Ends the contention and asserts mutual exclusion, except perhaps across the moment of the event. Logs how
     * long acquisition was interrupted after it.
     *
     * @param what the event
     * @param when its time, in nanoseconds
     * @param forgotten whether a hold of that moment may have been lost, so that its holder and the next holder
     *     both considered theirs valid
     */
    void judge(String what, long when, boolean forgotten) {
        List<Tenure> tenures =
                processes.stream().flatMap(each -> each.end().stream()).toList();
        tokensRoseWithTime(tenures);
        assertThat(overlaps(tenures, forgotten ? when : Long.MIN_VALUE)).isEmpty();
        LOG.info(
                "acquiring worked again {} ms after {} ({} tenures, longest pause {} ms, {} times unavailable, {} lost)",
                (firstAfter(when, tenures) - when) / 1_000_000,
                what,
                tenures.size(),
                longestPause(tenures) / 1_000_000,
                processes.stream().mapToInt(ContendingProcess::unavailable).sum(),
                losses());
    }

    /** Returns the number of lost leases. */
    int losses() {
        return processes.stream().mapToInt(ContendingProcess::losses).sum();
    }

    @Override
    public void close() {
        processes.forEach(ContendingProcess::close);
    }

    /** Asserts that a request sent after another was granted has a higher token, whatever was lost in between. */
    private static void tokensRoseWithTime(List<Tenure> tenures) {
        List<Tenure> granted =
                tenures.stream().sorted(Comparator.comparingLong(Tenure::from)).toList();
        List<Tenure> requestedAt = tenures.stream()
                .sorted(Comparator.comparingLong(Tenure::requestedAt))
                .toList();
        int next = 0;
        Tenure highest = granted.get(0);
        for (Tenure each : requestedAt) {
            for (; granted.get(next).from() < each.requestedAt(); next++) {
                highest = granted.get(next).token() > highest.token() ? granted.get(next) : highest;
            }
            if (next > 0) {
                assertThat(each.token()).as("%s after %s", each, highest).isGreaterThan(highest.token());
            }
        }
        assertThat(tenures.stream().map(Tenure::token)).doesNotHaveDuplicates();
    }

    /**
     * Returns overlaps. A hold that died with its server and one that its successor granted may both be considered
     * valid for a while.
     */
    private static List<String> overlaps(List<Tenure> tenures, long lost) {
        List<Tenure> granted =
                tenures.stream().sorted(Comparator.comparingLong(Tenure::from)).toList();
        List<String> overlaps = new ArrayList<>();
        Tenure last = granted.get(0);
        for (Tenure each : granted.subList(1, granted.size())) {
            boolean acrossTheLoss = last.from() <= lost && each.from() > lost;
            if (last.overlaps(each) && !acrossTheLoss) {
                overlaps.add(last + " and " + each);
            }
            last = each.until() > last.until() ? each : last;
        }
        return overlaps;
    }

    /** Returns the time of the first request afterwards. */
    private static long firstAfter(long when, List<Tenure> tenures) {
        return tenures.stream()
                .filter(each -> each.requestedAt() > when)
                .mapToLong(Tenure::from)
                .min()
                .orElseThrow();
    }

    private static long longestPause(List<Tenure> tenures) {
        long[] granted = tenures.stream().mapToLong(Tenure::from).sorted().toArray();
        return IntStream.range(1, granted.length)
                .mapToLong(i -> granted[i] - granted[i - 1])
                .max()
                .orElse(0);
    }
}
