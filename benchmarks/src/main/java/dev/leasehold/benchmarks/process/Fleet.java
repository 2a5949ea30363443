package dev.leasehold.benchmarks.process;

import dev.leasehold.benchmarks.IncorrectException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** Several JVMs and the witness that they share. They end with it, and with the JVM that started them. */
public final class Fleet implements AutoCloseable {

    private static final int MANY = 8;
    private static final Duration LIMIT = Duration.ofMinutes(4);

    private final List<Child> children = new ArrayList<>();
    private final Path file;
    private final SharedWitness witness;

    private Fleet(Path file, int locks) {
        this.file = file;
        witness = SharedWitness.map(file, locks);
    }

    /**
     * Starts so many JVMs with this much heap each, all running this class with three arguments: the URI of a
     * server, the file of the witness, and its number of locks.
     *
     * @throws IncorrectException if their clocks do not agree with this JVM's
     */
    public static Fleet start(int size, int heapMegabytes, Class<?> main, String uri, int locks) {
        Fleet fleet = new Fleet(temporaryFile(), locks);
        List<String> options = options(size, heapMegabytes);
        try {
            for (int n = 0; n < size; n++) {
                fleet.children.add(Child.start(options, main, uri, fleet.file.toString(), String.valueOf(locks)));
            }
            fleet.compareClocks();
            return fleet;
        } catch (RuntimeException e) {
            fleet.close();
            throw e;
        }
    }

    /**
     * Returns options for many JVMs on few cores: without a parallel collector, and, for very many JVMs, without a
     * second compiler.
     */
    private static List<String> options(int size, int heapMegabytes) {
        List<String> options = new ArrayList<>(List.of(
                "-Xms" + heapMegabytes + "m",
                "-Xmx" + heapMegabytes + "m",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED"));
        if (size > MANY) {
            options.add("-XX:TieredStopAtLevel=1");
        }
        return options;
    }

    private static Path temporaryFile() {
        try {
            return Files.createTempFile("leasehold-witness", ".bin");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the number of JVMs. */
    public int size() {
        return children.size();
    }

    /** Returns the witness that all of them write to. */
    public SharedWitness witness() {
        return witness;
    }

    /** Sends all of them the same order, and waits for all answers. */
    public List<Message> all(Message order) {
        return each(n -> order);
    }

    /**
     * Sends all of them the same order, to at most as many at a time as there are cores: for an order that keeps a
     * core busy and has a time limit, such as to connect for the first time.
     */
    public void fewAtATime(Message order) {
        int few = Runtime.getRuntime().availableProcessors();
        for (int first = 0; first < size(); first += few) {
            List<Child> some = children.subList(first, Math.min(size(), first + few));
            some.forEach(child -> child.send(order));
            answers(some);
        }
    }

    /** Sends each of them an order of its own, by its number from 0, and waits for all answers. */
    public List<Message> each(IntFunction<Message> orders) {
        IntStream.range(0, size()).forEach(n -> children.get(n).send(orders.apply(n)));
        return answers(children);
    }

    /** Sends one of them an order, and waits for the answer. */
    public Message one(int number, Message order) {
        children.get(number).send(order);
        return children.get(number).answer(LIMIT);
    }

    /** Sends an order to all from this number on, and waits for their answers. */
    public List<Message> from(int first, Message order) {
        List<Child> some = children.subList(first, size());
        some.forEach(child -> child.send(order));
        return answers(some);
    }

    /** Reads all answers, also if one failed: no answer must be taken for the answer to the next order. */
    private static List<Message> answers(List<Child> some) {
        List<Message> answers = new ArrayList<>();
        IncorrectException first = null;
        for (Child child : some) {
            try {
                answers.add(child.answer(LIMIT));
            } catch (IncorrectException e) {
                first = first == null ? e : first;
            }
        }
        if (first != null) {
            throw first;
        }
        return answers;
    }

    /**
     * Checks that the clock of {@code System.nanoTime()} is one for all processes, as on Linux; elsewhere it may
     * not be.
     */
    private void compareClocks() {
        for (int n = 0; n < size(); n++) {
            long before = System.nanoTime();
            long theirs = one(n, Message.of("clock")).number("nanos");
            if (theirs - before < 0 || System.nanoTime() - theirs < 0) {
                throw new IncorrectException("System.nanoTime() differs between processes here, so that times of"
                        + " several processes cannot be compared");
            }
        }
    }

    @Override
    public void close() {
        children.forEach(Child::close);
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
