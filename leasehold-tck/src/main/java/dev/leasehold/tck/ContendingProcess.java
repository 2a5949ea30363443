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
 * Another JVM that takes a lock again and again and writes down when it believed to have it, by the monotonic clock that all
 * processes of a machine share. It ends with the JVM that started it.
 */
final class ContendingProcess implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofMillis(500);

    private final ChildJvm jvm;

    private ContendingProcess(ChildJvm jvm) {
        this.jvm = jvm;
    }

    /** Begins to start it; {@link #begin()} waits for that, so that several start side by side. */
    static ContendingProcess start(String uri, String name, Duration lease) {
        return new ContendingProcess(new ChildJvm(ContendingProcess.class, List.of(uri, name, lease.toString())));
    }

    void begin() {
        jvm.answerTo("ready");
    }

    /** How often it has had the lock since the last question. */
    int tenures() {
        return number("count");
    }

    /** When it had the lock, after which it takes it no more. */
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

    /** How often the lock was unavailable. */
    int unavailable() {
        return number("unavailable");
    }

    /** How often its lease was lost. */
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
     * @param asked when it was asked for, in nanoseconds
     * @param from when it was granted, as its holder saw it
     * @param until when its holder believed itself the holder for the last time
     */
    record Tenure(long token, long asked, long from, long until) {

        boolean overlaps(Tenure other) {
            return from < other.until && other.from < until;
        }

        @Override
        public String toString() {
            return token + ":" + asked + ":" + from + ":" + until;
        }
    }

    /**
     * The other process.
     *
     * @param args URI, name, lease time
     * @throws Exception whatever goes wrong
     */
    public static void main(String[] args) throws Exception {
        // Eight that start at once may keep each other from being answered in time.
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

    /** Takes the lock in turns with itself and the others. */
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
                long asked = System.nanoTime();
                try (Lease lease = lock.acquire(PATIENCE)) {
                    long from = System.nanoTime();
                    long until = from;
                    // Some work, and at its end a look at whether it was still allowed.
                    for (long now = from; now - from < 200_000; now = System.nanoTime()) {
                        Thread.onSpinWait();
                    }
                    long seen = System.nanoTime();
                    if (lease.isHeld()) {
                        until = seen;
                    }
                    tenures.add(new Tenure(lease.fencingToken(), asked, from, until));
                    since.incrementAndGet();
                } catch (LockUnavailableException e) {
                    unavailable.incrementAndGet();
                } catch (LeaseLostException e) {
                    lost.incrementAndGet();
                } catch (InterruptedException e) {
                    return;
                } catch (LockNotAcquiredException e) {
                    // The others had it.
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
