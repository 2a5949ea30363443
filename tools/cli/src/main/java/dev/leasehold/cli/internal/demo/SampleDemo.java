package dev.leasehold.cli.internal.demo;

import dev.leasehold.cli.internal.demo.SampleTask.Stage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Keeps locks with holders and waiters in several processes, so that a user can look at them. Closing it ends the
 * processes and deletes their keys from Redis.
 */
final class SampleDemo implements AutoCloseable {

    private static final Duration START_LIMIT = Duration.ofSeconds(60);

    private final String uri;
    private final String prefix;
    private final Duration lease;
    private final DemoConnection connection;
    private final Notes notes = new Notes(note -> {});
    private final List<PlayerProcess> processes = new ArrayList<>();

    /** Connects to the server. */
    SampleDemo(String uri, String prefix, Duration lease) {
        this.uri = uri;
        this.prefix = prefix;
        this.lease = lease;
        this.connection = DemoConnection.open(uri);
    }

    /** Starts the processes; returns when all holders have their locks and all waiters are started. */
    void start() throws InterruptedException {
        for (int number = 1; number <= SampleTasks.PROCESSES; number++) {
            processes.add(PlayerProcess.start(SampleMain.class, number, uri, prefix, lease, notes));
        }
        int holders = (int) SampleTasks.all().stream()
                .filter(task -> task.stage() == Stage.HOLDER)
                .count();
        notes.await("the holders", START_LIMIT, holders, note -> note.event() == Event.ACQUIRED);
        processes.forEach(process -> process.order(SampleMain.START_WAITERS));
    }

    /** Keeps the locks for a time, or until a process fails. */
    void keep(Duration time) throws InterruptedException {
        notes.pause(time);
        notes.check();
    }

    @Override
    public void close() {
        processes.forEach(PlayerProcess::destroy);
        try (connection) {
            processes.forEach(PlayerProcess::awaitEnd);
            connection.redis().del(keys());
        }
    }

    private String[] keys() {
        return SampleTasks.all().stream()
                .flatMap(task -> task.locks().stream())
                .distinct()
                .map(lock -> prefix + ":{" + lock + "}")
                .toArray(String[]::new);
    }
}
