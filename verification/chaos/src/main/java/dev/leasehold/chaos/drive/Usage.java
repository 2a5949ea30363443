package dev.leasehold.chaos.drive;

import java.util.ArrayList;
import java.util.List;

/**
 * The resources that a run uses at one moment.
 *
 * @param workers the processes
 * @param connections of the servers, by their own count
 * @param keys in the servers that grant locks
 */
record Usage(List<Worker> workers, long connections, long keys) {

    private static final long THREADS_MORE = 24;
    private static final long KIB_MORE = 16 * 1024;
    /** In a cluster as many again: of replicas that have become primaries. */
    private static final long CONNECTIONS_MORE = 16;
    /**
     * A key lasts for its retention, so the current number varies; for each lock there is one, beside a server's
     * own.
     */
    private static final long KEYS_MORE = 24;

    /** One process: its heap after a collection, and its threads. */
    record Worker(String name, long kib, long threads) {

        static Worker parse(String name, String text) {
            String[] words = text.split(" ", -1);
            return new Worker(name, Long.parseLong(words[0]), Long.parseLong(words[1]));
        }
    }

    /** Returns the values that have grown since then, beyond random variation; there may be a key for each lock. */
    List<String> grownSince(Usage before, int locks) {
        List<String> grown = new ArrayList<>();
        note(grown, "threads of a process", before.threads(), threads(), THREADS_MORE);
        note(grown, "KiB of heap of a process", before.kib(), kib(), KIB_MORE);
        note(grown, "connections", before.connections, connections, Math.max(CONNECTIONS_MORE, before.connections));
        // Of many locks only some have been used at the start.
        note(grown, "keys", Math.max(before.keys, locks), keys, KEYS_MORE);
        return grown;
    }

    private static void note(List<String> grown, String what, long before, long now, long more) {
        if (now > before + more) {
            grown.add(what + ": " + now + " where there were " + before);
        }
    }

    /** Returns the maximum of one process. */
    private long threads() {
        return workers.stream().mapToLong(Worker::threads).max().orElse(0);
    }

    private long kib() {
        return workers.stream().mapToLong(Worker::kib).max().orElse(0);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("heap in KiB and threads of");
        workers.forEach(one -> text.append(' ')
                .append(one.name)
                .append(' ')
                .append(one.kib)
                .append(' ')
                .append(one.threads)
                .append(','));
        return text.append(" connections ")
                .append(connections)
                .append(", keys ")
                .append(keys)
                .toString();
    }
}
