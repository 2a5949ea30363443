package dev.leasehold.benchmarks.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.benchmarks.IncorrectException;
import dev.leasehold.benchmarks.job.FaultyLocks.Fault;
import dev.leasehold.benchmarks.process.Message;
import dev.leasehold.benchmarks.process.SharedWitness;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobTest {

    private static final Message CONTEND = Message.of("start")
            .with("job", "contend")
            .with("writes", 100)
            .with("place", 0)
            .with("lock", "one")
            .with("threads", 4)
            .with("work", 100_000);
    private static final Message WAIT = Message.of("start")
            .with("job", "wait")
            .with("lock", "each-")
            .with("locks", 2)
            .with("waiters", 8)
            .with("waves", 2);
    private static final Message HOLD = Message.of("start")
            .with("job", "hold")
            .with("lock", "each-")
            .with("locks", 8)
            .with("threads", 2)
            .with("verify", true);

    private static final Message OUTAGE = Message.of("start")
            .with("job", "outage")
            .with("lock", "each-")
            .with("locks", 8)
            .with("threads", 2);
    private static final Message INTRUDE =
            Message.of("start").with("job", "intrude").with("lock", "each-").with("which", LongStream.range(0, 8));

    @TempDir
    private Path directory;

    private SharedWitness witness;

    @BeforeEach
    void map() {
        witness = SharedWitness.map(directory.resolve("witness"), 8);
    }

    @Test
    void findsNothingWrongWithALock() throws InterruptedException {
        Message contended = run(CONTEND, Fault.NONE, 300);
        assertThat(contended.number("pairs")).isPositive();
        assertThat(contended.number("errors")).isZero();
        witness.clear();
        Message waited = run(WAIT, Fault.NONE, 60_000);
        assertThat(waited.number("served")).isEqualTo(8);
        assertThat(waited.numbers("order")).hasSize(24);
        Message held = run(HOLD, Fault.NONE, 0);
        assertThat(held.number("lost")).isZero();
        assertThat(System.nanoTime() - held.number("first")).isPositive();
    }

    @Test
    void findsALockThatLetsTwoIn() {
        assertThatThrownBy(() -> run(CONTEND, Fault.LETS_TWO_IN, 10_000))
                .isInstanceOf(IncorrectException.class)
                .hasMessageContaining("entered while");
    }

    @Test
    void findsLostWaiters() throws InterruptedException {
        assertThat(run(WAIT, Fault.LOSES_A_WAITER, 50).number("served")).isEqualTo(6);
    }

    @Test
    void countsWaitersThatCouldNotWaitAsNotServed() throws InterruptedException {
        Message done = run(WAIT, Fault.CANNOT_WAIT, 60_000);
        assertThat(done.number("served")).isEqualTo(6);
        assertThat(done.text("error")).contains("no subscription left");
    }

    @Test
    void findsLocksThatWereLostWhileHeld() throws InterruptedException {
        assertThat(run(HOLD, Fault.LOSES_THE_LOCK, 0).number("lost")).isEqualTo(2);
    }

    @Test
    void countsALockThatCannotBeReleasedAsLost() throws InterruptedException {
        Message done = run(HOLD, Fault.CANNOT_RELEASE, 0);
        assertThat(done.number("lost")).isEqualTo(2);
        assertThat(done.text("error")).contains("not yours");
    }

    @Test
    void reportsWhichLocksWereReportedAsLostAndWhen() throws InterruptedException {
        long before = System.nanoTime();
        assertThat(run(OUTAGE, Fault.NONE, 0).numbers("reported"))
                .containsOnly(0)
                .hasSize(8);
        long[] reported = run(OUTAGE, Fault.LOSES_THE_LOCK, 0).numbers("reported");
        assertThat(reported).hasSize(8);
        assertThat(LongStream.of(reported).filter(moment -> moment > before)).hasSize(2);
        assertThat(LongStream.of(reported).filter(moment -> moment == 0)).hasSize(6);
        assertThat(run(OUTAGE, Fault.CANNOT_RELEASE, 0).text("error")).contains("not yours");
    }

    @Test
    void reportsTheLocksThatAnIntruderAcquires() throws InterruptedException {
        FaultyLocks locks = new FaultyLocks(Fault.NONE);
        try (Job holder = Job.of(OUTAGE.with("locks", 3), locks, witness);
                Job intruder = Job.of(INTRUDE, locks, witness)) {
            holder.prepare();
            intruder.prepare();
            assertThat(intruder.run(go(0)).numbers("got")).containsExactly(3, 4, 5, 6, 7);
            holder.run(go(0));
            assertThat(intruder.run(go(0)).numbers("got")).hasSize(8);
        }
        assertThat(run(INTRUDE, Fault.CANNOT_RELEASE, 0).text("error")).contains("not yours");
    }

    @Test
    void countsThePairsOfOneThread() throws InterruptedException {
        Message pair = Message.of("start").with("job", "pair").with("lock", "one");
        Message answer = run(pair, Fault.NONE, 50);
        assertThat(answer.number("pairs")).isPositive();
        assertThat(answer.number("cpu")).isNotNegative();
        assertThat(answer.number("finished")).isLessThanOrEqualTo(System.nanoTime());
    }

    @Test
    void timesEachAcquisition() throws InterruptedException {
        Message take =
                Message.of("start").with("job", "take").with("lock", "one").with("place", 3);
        try (Job job = Job.of(take, new FaultyLocks(Fault.NONE), witness)) {
            job.prepare();
            assertThat(job.run(go(0)).number("nanos")).isPositive();
            assertThat(job.run(go(0)).number("nanos")).isPositive();
        }
        assertThat(witness.enter(3, 1).number()).isEqualTo(2);
        assertThatThrownBy(() -> run(take, Fault.NONE, 0)).isInstanceOf(IncorrectException.class);
    }

    @Test
    void refusesToHoldWhatItDidNotGet() {
        assertThatThrownBy(() -> run(HOLD, Fault.CANNOT_WAIT, 0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("of 8 locks were acquired")
                .hasMessageContaining("no subscription left");
    }

    private Message run(Message order, Fault fault, long millis) throws InterruptedException {
        try (Job job = Job.of(order, new FaultyLocks(fault), witness)) {
            job.prepare();
            if (order == WAIT) {
                job.step();
                job.step();
            }
            return job.run(go(millis));
        }
    }

    private static Message go(long millis) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        return Message.of("go")
                .with("begin", System.nanoTime())
                .with("end", end)
                .with("limit", end);
    }
}
