package dev.leasehold.chaos.work;

import dev.leasehold.chaos.history.HistoryFile;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/** A process with several threads that use locks, and that the driver stops and kills. */
public final class WorkerProcess {

    private static final int SOON = 10;
    private static final long START_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long ENDED_NANOS = TimeUnit.SECONDS.toNanos(8);

    private WorkerProcess() {}

    /**
     * Works until it receives the order to stop, and ends when its input ends.
     *
     * @param args see {@link Order}
     */
    public static void main(String[] args) throws Exception {
        Order order = Order.parse(args);
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        AtomicBoolean stopped = new AtomicBoolean();
        List<Long> before = Footprint.threadIds();
        try (var history = order.history();
                Contender contender = connect(order, history)) {
            Pace pace = new Pace(order.rate(), System.nanoTime());
            CountDownLatch done = new CountDownLatch(order.threads());
            for (int n = 0; n < order.threads(); n++) {
                Worker worker = new Worker(order, n, contender, history, pace, stopped);
                Thread thread = new Thread(() -> {
                    try {
                        worker.run();
                    } finally {
                        done.countDown();
                    }
                });
                thread.setDaemon(true);
                thread.start();
            }
            out.println("ready");
            serve(out, stopped, done);
        }
        out.println("closed " + String.join(", ", left(before)));
        System.exit(0);
    }

    /** Connects, and retries while the server is down, like a supervisor that restarts the process. */
    private static Contender connect(Order order, HistoryFile history) {
        long begun = System.nanoTime();
        while (true) {
            try {
                return Contenders.connect(order, history);
            } catch (RuntimeException e) {
                if (System.nanoTime() - begun > START_NANOS) {
                    throw e;
                }
                LockSupport.parkNanos(AGAIN_NANOS);
            }
        }
    }

    /** Waits until all threads that were not there before have ended, and returns the names of those that do not end. */
    private static List<String> left(List<Long> before) {
        long begun = System.nanoTime();
        List<String> left = Footprint.threads(before);
        while (!left.isEmpty() && System.nanoTime() - begun < ENDED_NANOS) {
            LockSupport.parkNanos(AGAIN_NANOS);
            left = Footprint.threads(before);
        }
        return left;
    }

    /** Answers {@code usage}, and {@code stop}. */
    private static void serve(PrintStream out, AtomicBoolean stopped, CountDownLatch done)
            throws IOException, InterruptedException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            if (line.equals("stop")) {
                stopped.set(true);
                out.println("stopped " + done.await(SOON, TimeUnit.SECONDS));
                return;
            }
            out.println("usage " + Footprint.measure());
        }
        // The parent process has died.
        Runtime.getRuntime().halt(1);
    }
}
