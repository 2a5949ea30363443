package dev.leasehold.chaos.soak;

import java.util.Locale;

/**
 * The kind of a sampled value, and by how much its median may be higher in the last quarter of a run than in the second one. Each bound is
 * above the random variation of runs without a leak, and far below what a leak of one object, thread or connection for each
 * acquisition, client or fault adds in an hour.
 */
public enum Figure {
    /** The used heap of a process after a collection. */
    HEAP("KiB", 1_024, "10 bytes for each of 100,000 acquisitions"),
    /** Classes and compiled code of a process. */
    NON_HEAP("KiB", 3_072, "the JVM compiles what it runs often, with less and less to compile"),
    /** Buffers of a process outside of its heap. */
    DIRECT("KiB", 1_024, "Netty keeps some buffers for each of its threads"),
    /** The memory of a process as the system counts it. */
    RESIDENT("KiB", 16_384, "the heap is returned to the system late"),
    /** Threads of a process, all or of one group. */
    THREADS("", 3, "event threads start and end with the load"),
    /** Files and sockets of a process. */
    FILES("", 4, "the JVM opens an archive when it needs it, and connections are opened again after faults"),
    /** Connections of the server. */
    CONNECTIONS("", 4, "short-lived clients connect and close"),
    /** Keys of the server. */
    KEYS("", 64, "a key lasts until its token memory is over, that of a latch for 8 s; a fault may delete all"),
    /** Memory of the server. */
    MEMORY("KiB", 1_024, "buffers of connections"),
    /** Keys that the server tracks for its clients. */
    TRACKED("", 32, "as many as there are names"),
    /** Scripts that the server caches. */
    SCRIPTS("", 48, "as many as there are scripts, which a flush removes and locks load again"),
    /** Time of all processes, per mille of one processor. */
    PROCESSOR("per mille", Long.MAX_VALUE, "not judged"),
    /** Runnable threads of the whole machine, times 100. */
    LOAD("per cent", Long.MAX_VALUE, "not judged");

    /** The unit, or nothing. */
    final String unit;

    /** The bound of growth. */
    final long bound;

    /** Why growth up to the bound is no leak. */
    final String reason;

    Figure(String unit, long bound, String reason) {
        this.unit = unit;
        this.bound = bound;
        this.reason = reason;
    }

    /** Returns the kind of a series, whose name is a subject and a figure such as {@code w0 threads:timer}. */
    static Figure of(String series) {
        String name = series.substring(series.indexOf(' ') + 1).split(":", -1)[0];
        return valueOf(name.replace('-', '_').toUpperCase(Locale.ROOT));
    }
}
