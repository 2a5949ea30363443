package dev.leasehold.tck;

import dev.leasehold.DistributedLock;
import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LockOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;

/** Another JVM that holds a lock, made to be killed and frozen. It ends with the JVM that started it. */
public final class HolderProcess implements AutoCloseable {

    private final ChildJvm jvm;
    private final long token;

    private HolderProcess(ChildJvm jvm) {
        this.jvm = jvm;
        this.token = Long.parseLong(jvm.answerTo("token").substring("token ".length()));
    }

    /**
     * Starts a JVM that acquires a lock, and waits until it holds it.
     *
     * @param uri the server; the adapter is found on this JVM's own class path
     * @param name the lock
     * @param lease the lease time, renewed
     * @return the process, holding
     */
    public static HolderProcess start(String uri, String name, Duration lease) {
        return start(uri, name, lease, "lock");
    }

    /** The same, with a lease of the read side. */
    static HolderProcess startReading(String uri, String name, Duration lease) {
        return start(uri, name, lease, "read");
    }

    /** The same, with permits of a semaphore; there is no token, so it is 0. */
    static HolderProcess startWithPermits(String uri, String name, Duration lease, int permits, int total) {
        return start(uri, name, lease, permits + " " + total);
    }

    private static HolderProcess start(String uri, String name, Duration lease, String kind) {
        return new HolderProcess(new ChildJvm(HolderProcess.class, List.of(uri, name, lease.toString(), kind)));
    }

    /**
     * The fencing token of its lease.
     *
     * @return the token
     */
    public long token() {
        return token;
    }

    /**
     * Asks the process.
     *
     * @param question {@code held}, {@code losses} (waits for the first), {@code release}, {@code close} or {@code export}
     * @return the question and its answer
     */
    public String ask(String question) {
        return jvm.ask(question);
    }

    /** Ends it without giving it a chance. */
    public void kill() throws InterruptedException {
        jvm.kill();
    }

    /** Stops it where it is. */
    public void freeze() throws IOException, InterruptedException {
        jvm.freeze();
    }

    /** Lets it go on. */
    public void thaw() throws IOException, InterruptedException {
        jvm.thaw();
    }

    @Override
    public void close() {
        jvm.close();
    }

    /**
     * The other process.
     *
     * @param args URI, name, lease time, and {@code read} for the read side or {@code lock}, or how many permits of how many
     * @throws Exception whatever goes wrong
     */
    public static void main(String[] args) throws Exception {
        LockOptions options =
                LockOptions.builder().leaseTime(Duration.parse(args[2])).build();
        AtomicInteger losses = new AtomicInteger();
        try (Leasehold leasehold = Leasehold.connect(args[0])) {
            DistributedLock lock = lock(leasehold, args[1], args[3]);
            Lease lease = lock.with(options).acquire();
            lease.onLost(event -> losses.incrementAndGet());
            long token = args[3].contains(" ") ? 0 : lease.fencingToken();
            ChildJvm.serve("token " + token, question -> answer(question, lease, losses));
        }
    }

    private static DistributedLock lock(Leasehold leasehold, String name, String kind) {
        if (kind.contains(" ")) {
            String[] numbers = kind.split(" ", 2);
            return leasehold
                    .semaphore(name, Integer.parseInt(numbers[1]))
                    .atOnce(Integer.parseInt(numbers[0]))
                    .asLock();
        }
        return kind.equals("read") ? leasehold.readWriteLock(name).readLock() : leasehold.lock(name);
    }

    private static String answer(String question, Lease lease, AtomicInteger losses) {
        return switch (question) {
            case "held" -> Boolean.toString(lease.isHeld());
            case "losses" -> {
                Awaitility.await().until(() -> losses.get() > 0);
                yield Integer.toString(losses.get());
            }
            case "release" -> outcome(lease::release);
            case "close" -> outcome(lease::close);
            case "export" -> lease.export();
            default -> "what?";
        };
    }

    private static String outcome(Runnable action) {
        try {
            action.run();
            return "ok";
        } catch (RuntimeException e) {
            return e.getClass().getSimpleName() + " " + e.getMessage();
        }
    }
}
