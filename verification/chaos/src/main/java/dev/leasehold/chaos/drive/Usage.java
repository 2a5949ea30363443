package dev.leasehold.chaos.drive;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

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
     * A key lasts for its token memory, so the current number varies; for each lock there is one, beside a server's
     * own.
     */
    private static final long KEYS_MORE = 24;

    /** The figures of one process. */
    record Worker(String name, Map<String, Long> figures) {

        /** Parses names and values. */
        static Worker parse(String name, String text) {
            String[] words = text.split(" ", -1);
            Map<String, Long> figures = new LinkedHashMap<>();
            for (int n = 0; n < words.length; n += 2) {
                figures.put(words[n], Long.parseLong(words[n + 1]));
            }
            return new Worker(name, figures);
        }

        /** Returns its heap after a collection. */
        long kib() {
            return figures.getOrDefault("heap", 0L);
        }

        long threads() {
            return figures.getOrDefault("threads", 0L);
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
                .append(one.kib())
                .append(' ')
                .append(one.threads())
                .append(','));
        return text.append(" connections ")
                .append(connections)
                .append(", keys ")
                .append(keys)
                .toString();
    }
}
