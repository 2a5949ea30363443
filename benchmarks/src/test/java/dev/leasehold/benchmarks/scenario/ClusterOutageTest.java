package dev.leasehold.benchmarks.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.benchmarks.process.Message;
import dev.leasehold.benchmarks.scenario.ClusterOutage.Result;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ClusterOutageTest {

    private static final long STOPPED = 5;

    /** Judges four locks, of which 0 and 2 are on healthy masters. */
    private static Result judge(LongStream reported, LongStream got) {
        return ClusterOutage.judge(
                new long[] {0, 2},
                STOPPED,
                Message.of("done").with("reported", reported).with("error", ""),
                Message.of("done").with("got", got).with("error", ""));
    }

    private static long after(long seconds) {
        return STOPPED + TimeUnit.SECONDS.toNanos(seconds);
    }

    @Test
    void findsNothingLostWhereNothingWas() {
        Result result = judge(LongStream.of(0, after(29), 0, after(30)), LongStream.empty());
        assertThat(result).isEqualTo(new Result(2, 0, 2, 2, 30, ""));
    }

    @Test
    void countsLocksThatAnotherAcquiredOrThatWereReportedAsLostOnHealthyMasters() {
        assertThat(judge(LongStream.of(0, 0, 0, 0), LongStream.of(2)).lost()).isEqualTo(1);
        assertThat(judge(LongStream.of(after(1), 0, 0, 0), LongStream.of(2)).lost())
                .isEqualTo(2);
        assertThat(judge(LongStream.of(after(1), 0, 0, 0), LongStream.of(0)).lost())
                .isEqualTo(1);
    }

    @Test
    void doesNotCountLossesReportedAfterTheDeadlineOrNever() {
        assertThat(judge(LongStream.of(0, 0, 0, after(31)), LongStream.empty()))
                .isEqualTo(new Result(2, 0, 2, 0, 31, ""));
        assertThat(judge(LongStream.of(0, 0, 0, 0), LongStream.empty()).lastReported())
                .isNaN();
    }
}
