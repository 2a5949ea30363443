package dev.leasehold.chaos.work;

import dev.leasehold.chaos.history.HistoryFile;
import dev.leasehold.chaos.history.What;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The guarded resource, in a process that no fault affects. For each lock it has a counter that accepts every
 * write, and detects lost increments, and a register that refuses tokens below the highest it has seen, in reads
 * too.
 *
 * <p>It answers each line by one line: {@code enter op lock token} reads both,
 * {@code leave op lock token witness value} writes both, and {@code write op lock token value} the register. A
 * register that refuses returns -1; with token 0 it is left alone.
 */
public final class ResourceProcess {

    private static final int BACKLOG = 256;
    private static final String REFUSED = "-1";

    private final HistoryFile history;
    private final Map<String, Guarded> guarded = new ConcurrentHashMap<>();

    /** The guarded values of one lock. */
    private static final class Guarded {
        final ReentrantLock turn = new ReentrantLock();
        long witness;
        long value;
        long highest;
    }

    private ResourceProcess(HistoryFile history) {
        this.history = history;
    }

    /**
     * Runs it until its input ends. Prints the port on which it listens.
     *
     * @param args the directory of the histories
     */
    public static void main(String[] args) throws IOException {
        try (HistoryFile history = HistoryFile.create(Path.of(args[0]), "resource");
                ServerSocket server = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress())) {
            ResourceProcess resource = new ResourceProcess(history);
            daemon(() -> resource.accept(server));
            PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
            out.println("port " + server.getLocalPort());
            while (System.in.read() >= 0) {
                // There is no command; only the end matters.
            }
        }
        System.exit(0);
    }

    private static void daemon(Runnable task) {
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        thread.start();
    }

    private void accept(ServerSocket server) {
        try {
            while (true) {
                Socket socket = server.accept();
                daemon(() -> serve(socket));
            }
        } catch (IOException e) {
            // The end.
        }
    }

    private void serve(Socket socket) {
        try (socket;
                BufferedReader in =
                        new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
                OutputStream out = socket.getOutputStream()) {
            socket.setTcpNoDelay(true);
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                out.write((answer(line.split(" ", -1)) + "\n").getBytes(StandardCharsets.UTF_8));
            }
        } catch (IOException e) {
            // A worker was killed.
        }
    }

    private String answer(String[] words) {
        Guarded one = guarded.computeIfAbsent(words[2], lock -> new Guarded());
        one.turn.lock();
        try {
            return switch (words[0]) {
                case "enter" ->
                    see(one, words[1], words[2]) + " " + read(one, words[1], words[2], Long.parseLong(words[3]));
                case "leave" -> {
                    set(one, words[1], words[2], Long.parseLong(words[4]));
                    yield write(one, words[1], words[2], Long.parseLong(words[3]), Long.parseLong(words[5]));
                }
                case "write" -> write(one, words[1], words[2], Long.parseLong(words[3]), Long.parseLong(words[4]));
                default -> throw new IllegalArgumentException("what is " + words[0]);
            };
        } finally {
            one.turn.unlock();
        }
    }

    private String see(Guarded one, String op, String lock) {
        history.add(System.nanoTime(), "", op, What.WITNESS_READ, lock, 0, one.witness, "");
        return Long.toString(one.witness);
    }

    private void set(Guarded one, String op, String lock, long value) {
        boolean lost = value != one.witness + 1;
        one.witness = value;
        history.add(System.nanoTime(), "", op, What.WITNESS_WROTE, lock, 0, value, lost ? "lost" : "");
    }

    private String read(Guarded one, String op, String lock, long token) {
        if (token <= 0) {
            return REFUSED;
        }
        boolean accepted = token >= one.highest;
        if (accepted) {
            one.highest = token;
        }
        history.add(System.nanoTime(), "", op, What.READ, lock, token, one.value, accepted ? "accepted" : "refused");
        return accepted ? Long.toString(one.value) : REFUSED;
    }

    private String write(Guarded one, String op, String lock, long token, long value) {
        if (token <= 0 || value < 0) {
            return REFUSED;
        }
        boolean accepted = token >= one.highest;
        if (accepted) {
            one.highest = token;
            one.value = value;
        }
        history.add(System.nanoTime(), "", op, What.WROTE, lock, token, value, accepted ? "accepted" : "refused");
        return accepted ? Long.toString(value) : REFUSED;
    }
}
