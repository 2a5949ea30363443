package dev.leasehold.benchmarks.scenario;

import dev.leasehold.Leasehold;
import dev.leasehold.benchmarks.IncorrectException;
import dev.leasehold.benchmarks.job.DeadlockJob;
import dev.leasehold.benchmarks.job.Worker;
import dev.leasehold.benchmarks.process.Fleet;
import dev.leasehold.benchmarks.process.Message;
import dev.leasehold.benchmarks.subject.Contestant;
import dev.leasehold.diagnostics.Deadlock;
import dev.leasehold.diagnostics.Diagnostics;
import dev.leasehold.testkit.EmbeddedRedis;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Each of several JVMs holds a lock and waits for that of the next one: the time from the last of these waits until another client has
 * found the deadlock.
 */
public final class DeadlockTime implements AutoCloseable {

    private static final int HEAP_MEGABYTES = 128;
    private static final long LIMIT_SECONDS = 60;

    private final int size;
    private final Fleet fleet;
    private final Leasehold observer;
    private int rounds;

    /** Starts so many JVMs. */
    public DeadlockTime(EmbeddedRedis redis, int size) {
        this.size = size;
        fleet = Fleet.start(size, HEAP_MEGABYTES, Worker.class, redis.uri(), 1);
        observer = Leasehold.connect(redis.uri());
        fleet.fewAtATime(Message.of("open").with("subject", Contestant.LEASEHOLD));
    }

    /** Returns the milliseconds from the last wait to the end of the call that found the deadlock. */
    public double run() {
        String lock = "deadlock-" + rounds++ + "-";
        fleet.each(n -> Message.of("start")
                .with("job", DeadlockJob.NAME)
                .with("held", lock + n)
                .with("wanted", lock + (n + 1) % size));
        long last = fleet.all(Message.of("go")).stream()
                .mapToLong(answer -> answer.number("nanos"))
                .max()
                .orElseThrow();
        awaitDeadlock();
        return (System.nanoTime() - last) / 1e6;
    }

    private void awaitDeadlock() {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        List<Deadlock> found = List.of();
        while (found.isEmpty()) {
            if (System.nanoTime() - deadline > 0) {
                throw new IncorrectException("the deadlock of " + size + " processes was never found");
            }
            found = Diagnostics.of(observer).deadlocks();
        }
        if (found.size() != 1 || !found.get(0).certain() || found.get(0).cycle().size() != size) {
            throw new IncorrectException("not the deadlock of " + size + " processes: " + found);
        }
    }

    @Override
    public void close() {
        observer.close();
        fleet.close();
    }
}
