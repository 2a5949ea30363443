package dev.leasehold.internal.client;

import dev.leasehold.LockOptions;
import java.time.Duration;
import java.util.List;

/** The servers of a quorum, and how long one is waited for; checked before anything is sent. */
public record QuorumConfig(List<String> uris, Duration nodeTimeout) {

    private static final int FEWEST = 3;
    private static final int MOST = 15;

    /** Checks number and time. */
    public QuorumConfig {
        uris = List.copyOf(uris);
        if (uris.size() < FEWEST || uris.size() > MOST) {
            throw new IllegalArgumentException("a quorum of " + uris.size() + " servers: give " + FEWEST + " to " + MOST
                    + ". With fewer none may fail, so one server with connect(...) does as well");
        }
        if (nodeTimeout.compareTo(Duration.ofMillis(1)) < 0 || nodeTimeout.compareTo(LockOptions.MAX_LEASE_TIME) > 0) {
            throw new IllegalArgumentException("node time-out " + nodeTimeout + " must lie between "
                    + Duration.ofMillis(1) + " and " + LockOptions.MAX_LEASE_TIME);
        }
    }
}
