package dev.leasehold.benchmarks.job;

import dev.leasehold.benchmarks.process.Message;
import dev.leasehold.benchmarks.process.SharedWitness;
import dev.leasehold.benchmarks.scenario.Probe;
import dev.leasehold.benchmarks.subject.Contestant;
import dev.leasehold.benchmarks.subject.Subject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * The program of a child JVM: reads an order, executes it, and answers by a line, until its input ends, which
 * happens when the parent JVM is gone. Orders: {@code open}, {@code start}, {@code step}, {@code go},
 * {@code close}, {@code usage}, {@code clock}.
 */
public final class Worker {

    private static final Message OK = Message.of("ok");

    private final String uri;
    private final SharedWitness witness;
    private @Nullable Subject subject;
    private @Nullable Job job;

    Worker(String uri, SharedWitness witness) {
        this.uri = uri;
        this.witness = witness;
    }

    /** Runs the worker. Arguments: the URI of a server, the file of the witness, and its number of locks. */
    public static void main(String[] args) throws InterruptedException {
        PrintStream answers = System.out;
        // A line printed by a peer must not be taken for an answer.
        System.setOut(System.err);
        Worker worker = new Worker(args[0], SharedWitness.map(Path.of(args[1]), Integer.parseInt(args[2])));
        BlockingQueue<String> orders = new LinkedBlockingQueue<>();
        Thread reader = new Thread(() -> read(orders), "orders");
        reader.setDaemon(true);
        reader.start();
        while (true) {
            answers.println(worker.answer(orders.take()).line());
            answers.flush();
        }
    }

    /** Reads until the input ends. Then the JVM ends at once, whatever a job or a connection is doing. */
    private static void read(BlockingQueue<String> orders) {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                orders.add(line);
            }
        } catch (IOException e) {
            // An end like any other.
        } finally {
            Runtime.getRuntime().halt(0);
        }
    }

    /** Executes an order. Never throws: a failure is an answer too. */
    Message answer(String line) {
        try {
            return obey(Message.parse(line));
        } catch (InterruptedException | RuntimeException e) {
            return Message.of("failed")
                    .with("kind", e.getClass().getSimpleName())
                    .with("message", String.valueOf(e.getMessage()));
        }
    }

    private Message obey(Message order) throws InterruptedException {
        return switch (order.verb()) {
            case "clock" -> Message.of("clock").with("nanos", System.nanoTime());
            case "usage" -> Usage.answer(order);
            case "open" ->
                open(Contestant.valueOf(order.text("subject")), order.values().containsKey("cluster"));
            case "start" -> start(order);
            case "step" -> step();
            case "go" -> requireJob().run(order);
            case "close" -> close();
            default -> throw new IllegalArgumentException("there is no order " + order.verb());
        };
    }

    private Message open(Contestant contestant, boolean cluster) {
        close();
        Subject opened = cluster ? contestant.connectToCluster(uri) : contestant.connect(uri);
        subject = opened;
        Probe.check(opened, List.of("probe-" + ProcessHandle.current().pid()));
        return OK;
    }

    private Message start(Message order) throws InterruptedException {
        if (subject == null) {
            throw new IllegalStateException("nothing is open");
        }
        closeJob();
        Job next = Job.of(order, subject, witness);
        job = next;
        next.prepare();
        return OK;
    }

    private Message step() throws InterruptedException {
        requireJob().step();
        return OK;
    }

    private Job requireJob() {
        if (job == null) {
            throw new IllegalStateException("no job was started");
        }
        return job;
    }

    private Message close() {
        closeJob();
        Subject open = subject;
        subject = null;
        if (open != null) {
            open.close();
        }
        return OK;
    }

    private void closeJob() {
        Job last = job;
        job = null;
        if (last != null) {
            last.close();
        }
    }
}
