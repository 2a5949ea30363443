package dev.leasehold.examples.spring;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.stereotype.Component;

/** The payments and reports, each with the fencing token of its writer. */
@Component
class Ledger {
    private final List<String> entries = new CopyOnWriteArrayList<>();
    private final List<Long> tokens = new CopyOnWriteArrayList<>();

    void enter(String entry, long token) {
        entries.add(entry);
        tokens.add(token);
    }

    List<String> entries() {
        return entries;
    }

    List<Long> tokens() {
        return tokens;
    }
}
