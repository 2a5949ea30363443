package dev.leasehold.testkit.internal;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a server, with the information to undo the latest writes. Time does not pass between two calls of
 * {@link #begin}. Not safe for use by several threads.
 */
public final class Keyspace {

    /** The number of writing commands that can be undone. */
    static final int MOST_UNDONE = 1000;

    private static final long MICROS_PER_MILLI = 1000;

    private final Map<String, Entry> entries = new LinkedHashMap<>();
    private final Deque<List<Before>> history = new ArrayDeque<>();
    private List<Before> transaction = new ArrayList<>();
    private final Consumer<String> written;
    private long nowMicros;
    private long writes;

    /** Calls an action with each key that is written. */
    Keyspace(Consumer<String> written) {
        this.written = written;
    }

    /** A key before a command wrote it. */
    private record Before(String key, @Nullable Entry entry) {}

    /** Begins a command or script. */
    void begin(long micros) {
        nowMicros = micros;
    }

    /** Ends the command: its writes are one step that a replica may lack. */
    void end() {
        if (transaction.isEmpty()) {
            return;
        }
        writes++;
        history.addLast(transaction);
        transaction = new ArrayList<>();
        if (history.size() > MOST_UNDONE) {
            history.removeFirst();
        }
    }

    /** Returns the number of commands so far that wrote, each one step that a replica may lack. */
    long writes() {
        return writes;
    }

    long nowMicros() {
        return nowMicros;
    }

    long nowMillis() {
        return nowMicros / MICROS_PER_MILLI;
    }

    /** Returns the value under the key; deletes an expired key, as Redis does on access. */
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

    /** Returns the value under the key for modification, and remembers its current state. */
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
        written.accept(key);
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

    /** Loses all data, on the replicas too. */
    void forgetAll() {
        entries.clear();
        history.clear();
        transaction.clear();
    }

    /** Undoes the latest writing commands, as many as there were and are known. */
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

    /** Returns the keys that have not expired, in order. */
    SortedSet<String> keys() {
        SortedSet<String> keys = new TreeSet<>();
        entries.forEach((key, entry) -> {
            if (!expired(entry)) {
                keys.add(key);
            }
        });
        return keys;
    }

    /** Returns the value without a side effect: null if there is no such key or it has expired. */
    @Nullable
    Entry peek(String key) {
        Entry entry = entries.get(key);
        return entry == null || expired(entry) ? null : entry;
    }
}
