package dev.leasehold.testkit.internal;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The value under a key, a hash or a string, and its expiry. */
final class Entry {

    static final long NEVER = -1;

    private final @Nullable Map<String, String> hash;
    private String text = "";
    private long expiresAtMillis = NEVER;

    private Entry(@Nullable Map<String, String> hash) {
        this.hash = hash;
    }

    static Entry ofHash() {
        return new Entry(new LinkedHashMap<>());
    }

    static Entry ofText(String text) {
        Entry entry = new Entry(null);
        entry.text = text;
        return entry;
    }

    Entry copy() {
        Entry copy = new Entry(hash == null ? null : new LinkedHashMap<>(hash));
        copy.text = text;
        copy.expiresAtMillis = expiresAtMillis;
        return copy;
    }

    /** Returns the fields in insertion order, or null if this is no hash. */
    @Nullable
    Map<String, String> hash() {
        return hash;
    }

    boolean isHash() {
        return hash != null;
    }

    String text() {
        return text;
    }

    String type() {
        return hash == null ? "string" : "hash";
    }

    long expiresAtMillis() {
        return expiresAtMillis;
    }

    void expireAt(long millis) {
        expiresAtMillis = millis;
    }
}
