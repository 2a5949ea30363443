package dev.leasehold.benchmarks.subject;

import java.util.List;

/** One connection of some client's, over which scripts are run and nothing else is done. */
interface BareWire extends AutoCloseable {

    /** Makes the server know a script, and returns its digest. */
    String load(String script);

    /** Runs a script that answers with a list, and waits for the answer. */
    List<String> list(String digest, String[] keys, String[] args);

    @Override
    void close();
}
