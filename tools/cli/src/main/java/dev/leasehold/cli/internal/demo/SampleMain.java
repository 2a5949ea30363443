package dev.leasehold.cli.internal.demo;

import dev.leasehold.Leasehold;
import dev.leasehold.LeaseholdBuilder;
import dev.leasehold.cli.internal.Text;
import dev.leasehold.cli.internal.demo.SampleTask.Stage;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The entry point of a process of {@code demo --keep}. It reads orders from standard input and writes records to
 * standard output. It ends when its standard input ends, so it never outlives the director.
 */
public final class SampleMain {

    /** The order that starts the tasks of the second stage. */
    static final String START_WAITERS = "wait";

    private final int number;
    private final Leasehold leasehold;
    private final PrintStream out;

    private SampleMain(int number, Leasehold leasehold, PrintStream out) {
        this.number = number;
        this.leasehold = leasehold;
        this.out = out;
    }

    /**
     * Runs the tasks of one process until standard input ends.
     *
     * @param args the number of the process, the key prefix, and the lease in milliseconds
     */
    public static void main(String[] args) {
        int number = Integer.parseInt(args[0]);
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        BlockingQueue<String> orders = Orders.listen();
        try (Leasehold leasehold = Leasehold.builder()
                .uri(System.getenv(PlayerMain.URI_VARIABLE))
                .keyPrefix(args[1])
                .clientName("leasehold-demo")
                .preflight(LeaseholdBuilder.Preflight.OFF)
                .shareStacks(true)
                .defaults(Player.options(Duration.ofMillis(Long.parseLong(args[2]))))
                .build()) {
            new SampleMain(number, leasehold, out).run(orders);
        } catch (Exception e) {
            out.println(failed(number, e));
        }
        Runtime.getRuntime().halt(0);
    }

    private void run(BlockingQueue<String> orders) throws InterruptedException {
        start(Stage.HOLDER);
        note(Event.READY, String.valueOf(ProcessHandle.current().pid()));
        String order = orders.take();
        while (order.equals(START_WAITERS)) {
            start(Stage.WAITER);
            order = orders.take();
        }
    }

    private void start(Stage stage) {
        SampleTasks.all().stream()
                .filter(task -> task.process() == number && task.stage() == stage)
                .forEach(task -> new Thread(() -> run(task), task.thread()).start());
    }

    private void run(SampleTask task) {
        try {
            AtomicBoolean first = new AtomicBoolean(true);
            task.work().run(leasehold, () -> {
                if (first.getAndSet(false)) {
                    note(Event.ACQUIRED, task.thread());
                }
            });
        } catch (Exception e) {
            out.println(failed(number, e));
        }
    }

    private void note(Event event, String detail) {
        out.println(Note.of(event, number, 0, detail).format());
    }

    private static String failed(int number, Exception e) {
        String message = Text.line(e.getClass().getSimpleName() + ": " + e.getMessage());
        return Note.of(Event.FAILED, number, 0, message).format();
    }
}
