package dev.leasehold.benchmarks.job;

import dev.leasehold.benchmarks.process.Message;
import dev.leasehold.benchmarks.subject.Grip;
import dev.leasehold.benchmarks.subject.Subject;
import java.util.stream.LongStream;

/**
 * Acquires and releases a free lock, each after a pause, and reports the time of each call: on the floor, a round
 * trip.
 */
public final class RoundTripJob implements Job {

    /** The name in orders. */
    public static final String NAME = "round-trip";

    private final Subject subject;
    private final int times;
    private final long pauseNanos;

    RoundTripJob(Message order, Subject subject) {
        this.subject = subject;
        times = order.count("times");
        pauseNanos = order.number("pause");
    }

    @Override
    public void prepare() {}

    @Override
    public Message run(Message order) throws InterruptedException {
        Grip grip = subject.grip("round-trip");
        LongStream.Builder nanos = LongStream.builder();
        for (int n = 0; n < times; n++) {
            Threads.until(System.nanoTime() + pauseNanos);
            long begun = System.nanoTime();
            if (!grip.tryAcquire()) {
                throw new IllegalStateException("the lock should have been free");
            }
            nanos.add(System.nanoTime() - begun);
            Threads.until(System.nanoTime() + pauseNanos);
            long next = System.nanoTime();
            grip.release();
            nanos.add(System.nanoTime() - next);
        }
        return Message.of("done").with("nanos", nanos.build());
    }

    @Override
    public void close() {}
}
