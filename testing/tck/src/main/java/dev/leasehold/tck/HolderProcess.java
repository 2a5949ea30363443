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

/** Another JVM that holds a lock, and that a test can kill and freeze. It ends with the JVM that started it. */
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
     * @param address a URI, or the address of a site; the adapter is found on this JVM's own class path
     * @param name the lock
     * @param lease the lease time, renewed
     * @return the process, holding
     */
    public static HolderProcess start(String address, String name, Duration lease) {
        return start(address, name, lease, "lock");
    }

    /** Starts it with a lease that took over a hold that the process had retained. */
    static HolderProcess startRetaining(String address, String name, Duration lease) {
        return start(address, name, lease, "retained");
    }

    /** Starts it with a lease of the read side. */
    static HolderProcess startReading(String address, String name, Duration lease) {
        return start(address, name, lease, "read");
    }

    /** Starts it with permits of a semaphore; without a token, so it is 0. */
    static HolderProcess startWithPermits(String address, String name, Duration lease, int permits, int total) {
        return start(address, name, lease, permits + " " + total);
    }

    private static HolderProcess start(String address, String name, Duration lease, String kind) {
        return new HolderProcess(new ChildJvm(HolderProcess.class, List.of(address, name, lease.toString(), kind)));
    }

    /**
     * Returns the fencing token of its lease.
     *
     * @return the token
     */
    public long token() {
        return token;
    }

    /**
     * Sends a question to the process.
     *
     * @param question {@code held}, {@code losses} (waits for the first), {@code release}, {@code close},
     *     {@code export}, {@code use} (acquires and releases the lock once more, and returns the token) or {@code shut}
     *     (begins to close the client, which continues)
     * @return the question and its answer
     */
    public String ask(String question) {
        return jvm.ask(question);
    }

    /** Kills the process (SIGKILL). */
    public void kill() throws InterruptedException {
        jvm.kill();
    }

    /** Stops the process (SIGSTOP). */
    public void freeze() throws IOException, InterruptedException {
        jvm.freeze();
    }

    /** Resumes the process. */
    public void thaw() throws IOException, InterruptedException {
        jvm.thaw();
    }

    @Override
    public void close() {
        jvm.close();
    }

    /**
     * Runs the other process.
     *
     * @param args address, name, lease time, and {@code read} for the read side, {@code lock}, {@code retained} for a lock that
     *     the process has retained before, or the wanted and the total permits
     * @throws Exception any failure
     */
    public static void main(String[] args) throws Exception {
        boolean retained = args[3].equals("retained");
        LockOptions lasting =
                LockOptions.builder().leaseTime(Duration.parse(args[2])).build();
        LockOptions options = retained ? LockBase.retaining(lasting, LockBase.RETAINED) : lasting;
        AtomicInteger losses = new AtomicInteger();
        try (Leasehold leasehold = Site.connect(args[0])) {
            DistributedLock lock = lock(leasehold, args[1], args[3]).with(options);
            if (retained) {
                LockBase.useUntilRetained(lock);
            }
            Lease lease = lock.acquire();
            lease.onLost(event -> losses.incrementAndGet());
            long token = args[3].contains(" ") ? 0 : lease.fencingToken();
            ChildJvm.serve("token " + token, question -> switch (question) {
                case "use" -> use(lock);
                case "shut" -> shut(leasehold);
                default -> answer(question, lease, losses);
            });
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

    private static String use(DistributedLock lock) {
        Lease lease = TransportCalls.answer(lock.acquireAsync());
        lease.close();
        return Long.toString(lease.fencingToken());
    }

    private static String shut(Leasehold leasehold) {
        Thread closing = new Thread(leasehold::close);
        closing.start();
        Awaitility.await().until(() -> refusesNewWork(leasehold));
        return "begun";
    }

    /** Returns whether a client is closed, or is closing. */
    static boolean refusesNewWork(Leasehold leasehold) {
        try {
            leasehold.lock("any");
            return false;
        } catch (IllegalStateException closed) {
            return true;
        }
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
