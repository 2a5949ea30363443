package dev.leasehold.benchmarks.job;

import dev.leasehold.benchmarks.process.Message;
import dev.leasehold.benchmarks.subject.Grip;
import dev.leasehold.benchmarks.subject.Subject;
import java.util.ArrayList;
import java.util.List;

/**
 * Tries once to acquire each of some locks that others should hold. Reports which it acquired; it has released
 * these again.
 */
public final class IntrudeJob implements Job {

    /** The name in orders. */
    public static final String NAME = "intrude";

    private final Subject subject;
    private final String lock;
    private final long[] which;

    IntrudeJob(Message order, Subject subject) {
        this.subject = subject;
        lock = order.text("lock");
        which = order.numbers("which");
    }

    @Override
    public void prepare() {}

    @Override
    public Message run(Message order) {
        List<Long> got = new ArrayList<>();
        String error = "";
        for (long number : which) {
            try {
                Grip grip = subject.grip(lock + number);
                if (grip.tryAcquire()) {
                    got.add(number);
                    grip.release();
                }
            } catch (RuntimeException e) {
                error = e.toString();
            }
        }
        return Message.of("done")
                .with("got", got.stream().mapToLong(Long::longValue))
                .with("error", error);
    }

    @Override
    public void close() {}
}
