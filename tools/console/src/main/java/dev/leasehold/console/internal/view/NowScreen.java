package dev.leasehold.console.internal.view;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.leasehold.console.internal.observe.HeldLock;
import dev.leasehold.console.internal.observe.Snapshot;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/** The held locks by age, those whose name contains the search text. */
final class NowScreen {

    /** The most locks that the page gets; it says how many others there are. */
    static final int MOST_ROWS = 200;

    private final String search;

    NowScreen(String search) {
        this.search = search.toLowerCase(Locale.ROOT);
    }

    void write(JsonGenerator json, Snapshot snapshot) throws IOException {
        List<HeldLock> found = snapshot.locks().stream()
                .filter(lock -> matches(lock.info().name()))
                .toList();
        json.writeNumberField("matching", found.size());
        json.writeArrayFieldStart("locks");
        for (HeldLock lock : found.subList(0, Math.min(MOST_ROWS, found.size()))) {
            LockJson.lock(json, lock, snapshot.wallMillis());
        }
        json.writeEndArray();
    }

    /** Compares both forms, so that a reader may also type the escapes that the page shows. */
    private boolean matches(String name) {
        return search.isEmpty()
                || name.toLowerCase(Locale.ROOT).contains(search)
                || Shown.name(name).toLowerCase(Locale.ROOT).contains(search);
    }
}
