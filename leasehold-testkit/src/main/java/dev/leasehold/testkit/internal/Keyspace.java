package dev.leasehold.testkit.internal;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a server, with what is needed to undo the latest writes. Time stands still between two calls of
 * {@link #begin}. Not safe for use by several threads.
 */
public final class Keyspace {

    /** So many writing commands can be undone. */
    static final int MOST_UNDONE = 1000;

    private static final long MICROS_PER_MILLI = 1000;

    private final Map<String, Entry> entries = new LinkedHashMap<>();
    private final Deque<List<Before>> history = new ArrayDeque<>();
    private List<Before> transaction = new ArrayList<>();
    private long nowMicros;

    /** A key before a command wrote it. */
    private record Before(String key, @Nullable Entry entry) {}

    /** A command or script begins. */
    void begin(long micros) {
        nowMicros = micros;
    }

    /** The command is over: what it wrote is one step of what a replica may lack. */
    void end() {
        if (transaction.isEmpty()) {
            return;
        }
        history.addLast(transaction);
        transaction = new ArrayList<>();
        if (history.size() > MOST_UNDONE) {
            history.removeFirst();
        }
    }

    long nowMicros() {
        return nowMicros;
    }

    long nowMillis() {
        return nowMicros / MICROS_PER_MILLI;
    }

    /** What lies under the key; an expired key is deleted, as Redis does when it meets one. */
    @Nullable
    Entry find(String key) {
        Entry entry = entries.get(key);
        if (entry != null && expired(entry)) {
            delete(key);
            return null;
        }
        return entry;
    }

    private boolean expired(Entry entry) {
        return entry.expiresAtMillis() != Entry.NEVER && nowMillis() > entry.expiresAtMillis();
    }

    /** What lies under the key, to be changed: how it is now can be restored. */
    @Nullable
    Entry change(String key) {
        Entry entry = find(key);
        remember(key, entry);
        return entry;
    }

    void put(String key, Entry entry) {
        remember(key, entries.get(key));
        entries.put(key, entry);
    }

    boolean delete(String key) {
        remember(key, entries.get(key));
        return entries.remove(key) != null;
    }

    private void remember(String key, @Nullable Entry entry) {
        for (Before before : transaction) {
            if (before.key.equals(key)) {
                return;
            }
        }
        transaction.add(new Before(key, entry == null ? null : entry.copy()));
    }

    void clear() {
        for (String key : List.copyOf(entries.keySet())) {
            delete(key);
        }
    }

    /** All data are lost, on the replicas too. */
    void forgetAll() {
        entries.clear();
        history.clear();
        transaction.clear();
    }

    /** Takes the latest writing commands back, as many as there were and are known. */
    void undo(int commands) {
        end();
        for (int i = 0; i < commands && !history.isEmpty(); i++) {
            for (Before before : history.removeLast()) {
                if (before.entry == null) {
                    entries.remove(before.key);
                } else {
                    entries.put(before.key, before.entry);
                }
            }
        }
        history.clear();
    }

    /** The keys that have not expired, in order. */
    SortedSet<String> keys() {
        SortedSet<String> keys = new TreeSet<>();
        entries.forEach((key, entry) -> {
            if (!expired(entry)) {
                keys.add(key);
            }
        });
        return keys;
    }

    /** Looks without touching: null if there is no such key or it has expired. */
    @Nullable
    Entry peek(String key) {
        Entry entry = entries.get(key);
        return entry == null || expired(entry) ? null : entry;
    }
}
