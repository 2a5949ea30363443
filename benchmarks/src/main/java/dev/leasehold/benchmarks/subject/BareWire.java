package dev.leasehold.benchmarks.subject;

import java.util.List;

/** One connection of a client that only runs scripts. */
interface BareWire extends AutoCloseable {

    /** Loads a script, and returns its digest. */
    String load(String script);

    /** Runs a script that answers with a list or a text, and waits for the answer; a text is a list of one. */
    List<String> list(String digest, String[] keys, String[] args);

    @Override
    void close();
}
