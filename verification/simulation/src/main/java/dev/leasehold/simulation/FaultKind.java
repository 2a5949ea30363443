package dev.leasehold.simulation;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The kinds of faults. */
enum FaultKind {
    REQUEST_LOST(Scope.NETWORK, true),
    REPLY_LOST(Scope.NETWORK, true),
    REQUEST_DELAYED(Scope.NETWORK, true),
    REPLY_DELAYED(Scope.NETWORK, true),
    REORDERED(Scope.NETWORK, true),
    DOUBLED(Scope.NETWORK, true),
    WAKE_UP_LOST(Scope.NETWORK, true),
    CONNECTION_LOST(Scope.CLIENT, true),
    SERVER_PAUSED(Scope.SERVER, true),
    RESTART_WITH_DATA(Scope.SERVER, true),
    RESTART_WITHOUT_DATA(Scope.SERVER, false),
    FAIL_OVER_LAGGING(Scope.SERVER, false),
    FAIL_OVER_CLOCK_AHEAD(Scope.SERVER, false),
    FAIL_OVER_CLOCK_BEHIND(Scope.SERVER, true),
    CLOCK_FORWARD(Scope.SERVER, false),
    CLOCK_BACK(Scope.SERVER, true),
    EVICTION(Scope.SERVER, false),
    OUT_OF_MEMORY(Scope.SERVER, true),
    BUSY(Scope.SERVER, true),
    LOADING(Scope.SERVER, true),
    READONLY(Scope.SERVER, true),
    NOSCRIPT(Scope.SERVER, true),
    CLIENT_PAUSED(Scope.CLIENT, true),
    CLIENT_SUSPENDED(Scope.CLIENT, true),
    WALL_STEP(Scope.CLIENT, true),
    CLIENT_CRASHED(Scope.CLIENT, true),
    CLIENT_CLOSED(Scope.CLIENT, true),
    /** The replica receives writes late. */
    REPLICA_LAGS(Scope.SERVER, true, SeedRange.REPLICATED),
    /** The replica that others wait for replaces the server. */
    FAIL_OVER_TO_REPLICA(Scope.SERVER, false, SeedRange.REPLICATED),
    /** The answer to one request is lost, and nothing else. */
    ANSWER_LOST(Scope.CLIENT, true, SeedRange.MIXED),
    /** A connection stays open, but nothing arrives over it any more, until the client replaces it. */
    CONNECTION_SILENT(Scope.CLIENT, true, SeedRange.MIXED);

    /** The scope of a fault. */
    enum Scope {
        /** The requests of one client for a while. */
        NETWORK,
        /** One client. */
        CLIENT,
        /** The server, and so all clients. */
        SERVER
    }

    final Scope scope;

    /** True if exclusion is promised in spite of it (docs/guarantees.md, conditions C-1 and C-2). */
    final boolean covered;

    /** The only seeds that have it; null if all have. */
    private final @Nullable SeedRange only;

    FaultKind(Scope scope, boolean covered) {
        this(scope, covered, null);
    }

    FaultKind(Scope scope, boolean covered, @Nullable SeedRange only) {
        this.scope = scope;
        this.covered = covered;
        this.only = only;
    }

    /** Returns the kinds that any seed may have. */
    static List<FaultKind> usual() {
        return Stream.of(values()).filter(kind -> kind.only == null).toList();
    }

    /** Returns the kinds that seeds of this range have in addition. */
    static List<FaultKind> only(SeedRange range) {
        return Stream.of(values()).filter(kind -> kind.only == range).toList();
    }
}
