package dev.leasehold.tck;

import dev.leasehold.DistributedLock;
import dev.leasehold.Lease;
import dev.leasehold.LeaseLostException;
import dev.leasehold.Leasehold;
import dev.leasehold.LockNotAcquiredException;
import dev.leasehold.LockOptions;
import dev.leasehold.LockUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Another JVM that repeatedly acquires a lock and records when it considered itself the holder, by the monotonic
 * clock that all processes of a machine share. It ends with the JVM that started it.
 */
final class ContendingProcess implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofMillis(500);

    private final ChildJvm jvm;

    private ContendingProcess(ChildJvm jvm) {
        this.jvm = jvm;
    }

    /** Begins to start it; {@link #begin()} waits for the start, so that several start in parallel. */
    static ContendingProcess start(String uri, String name, Duration lease) {
        return new ContendingProcess(new ChildJvm(ContendingProcess.class, List.of(uri, name, lease.toString())));
    }

    void begin() {
        jvm.answerTo("ready");
    }

    /** Returns the number of its leases since the last call. */
    int tenures() {
        return number("count");
    }

    /** Ends its acquisitions, and returns its leases. */
    List<Tenure> end() {
        List<Tenure> tenures = new ArrayList<>();
        for (String each : jvm.ask("end").substring("end ".length()).split(" ", -1)) {
            if (!each.isEmpty()) {
                String[] numbers = each.split(":", -1);
                tenures.add(new Tenure(
                        Long.parseLong(numbers[0]),
                        Long.parseLong(numbers[1]),
                        Long.parseLong(numbers[2]),
                        Long.parseLong(numbers[3])));
            }
        }
        return tenures;
    }

    /** Returns how often the lock was unavailable. */
    int unavailable() {
        return number("unavailable");
    }

    /** Returns how often its lease was lost. */
    int losses() {
        return number("lost");
    }

    private int number(String question) {
        return Integer.parseInt(jvm.ask(question).substring(question.length() + 1));
    }

    @Override
    public void close() {
        jvm.close();
    }

    /**
     * One lease.
     *
     * @param token its token
     * @param requestedAt the time of the request, in nanoseconds
     * @param from the time of the grant, as its holder saw it
     * @param until the last time at which its holder considered itself the holder
     */
    record Tenure(long token, long requestedAt, long from, long until) {

        boolean overlaps(Tenure other) {
            return from < other.until && other.from < until;
        }

        @Override
        public String toString() {
            return token + ":" + requestedAt + ":" + from + ":" + until;
        }
    }

    /**
     * Runs the other process.
     *
     * @param args URI, name, lease time
     * @throws Exception any failure
     */
    public static void main(String[] args) throws Exception {
        // Eight processes that start together may keep each other from being answered in time.
        Leasehold leasehold = ContractBase.await()
                .ignoreException(LockUnavailableException.class)
                .until(
                        () -> Leasehold.builder()
                                .uri(args[0])
                                .commandTimeout(PATIENCE)
                                .build(),
                        any -> true);
        Contender contender = new Contender(leasehold
                .lock(args[1])
                .with(LockOptions.builder().leaseTime(Duration.parse(args[2])).build()));
        Thread thread = new Thread(contender, "contender");
        thread.setDaemon(true);
        thread.start();
        ChildJvm.serve("ready 0", question -> contender.answer(question));
        Runtime.getRuntime().halt(0);
    }

    /** Acquires the lock, alternating with the other contenders. */
    private static final class Contender implements Runnable {
        private final DistributedLock lock;
        private final Queue<Tenure> tenures = new ConcurrentLinkedQueue<>();
        private final AtomicInteger since = new AtomicInteger();
        private final AtomicInteger unavailable = new AtomicInteger();
        private final AtomicInteger lost = new AtomicInteger();
        private volatile boolean ended;

        Contender(DistributedLock lock) {
            this.lock = lock;
        }

        @Override
        public void run() {
            while (!ended) {
                long requestedAt = System.nanoTime();
                try (Lease lease = lock.acquire(PATIENCE)) {
                    long from = System.nanoTime();
                    long until = from;
                    // Some work, with a check of the lease at its end.
                    for (long now = from; now - from < 200_000; now = System.nanoTime()) {
                        Thread.onSpinWait();
                    }
                    long seen = System.nanoTime();
                    if (lease.isHeld()) {
                        until = seen;
                    }
                    tenures.add(new Tenure(lease.fencingToken(), requestedAt, from, until));
                    since.incrementAndGet();
                } catch (LockUnavailableException e) {
                    unavailable.incrementAndGet();
                } catch (LeaseLostException e) {
                    lost.incrementAndGet();
                } catch (InterruptedException e) {
                    return;
                } catch (LockNotAcquiredException e) {
                    // The others held it.
                }
            }
        }

        String answer(String question) {
            return switch (question) {
                case "count" -> Integer.toString(since.getAndSet(0));
                case "lost" -> Integer.toString(lost.get());
                case "unavailable" -> Integer.toString(unavailable.get());
                case "end" -> {
                    ended = true;
                    yield String.join(
                            " ", tenures.stream().map(Tenure::toString).toList());
                }
                default -> "what?";
            };
        }
    }
}
