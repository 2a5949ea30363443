package dev.leasehold.internal.connect;

import dev.leasehold.LockOptions;
import java.time.Duration;
import java.util.List;

/** The servers of a quorum, and how long to wait for each; checked before anything is sent. */
public record QuorumConfig(List<String> uris, Duration nodeTimeout) {

    private static final int MIN_SERVERS = 3;
    private static final int MAX_SERVERS = 15;

    /** Checks the number of servers and the timeout. */
    public QuorumConfig {
        uris = List.copyOf(uris);
        if (uris.size() < MIN_SERVERS || uris.size() > MAX_SERVERS) {
            throw new IllegalArgumentException("a quorum of " + uris.size() + " servers: give " + MIN_SERVERS + " to "
                    + MAX_SERVERS + ". With fewer none may fail, so one server with connect(...) does as well");
        }
        if (nodeTimeout.compareTo(Duration.ofMillis(1)) < 0 || nodeTimeout.compareTo(LockOptions.MAX_LEASE_TIME) > 0) {
            throw new IllegalArgumentException("node timeout " + nodeTimeout + " must lie between "
                    + Duration.ofMillis(1) + " and " + LockOptions.MAX_LEASE_TIME);
        }
    }

    @Override
    public String toString() {
        return "QuorumConfig[" + uris.size() + " servers, " + nodeTimeout + "]";
    }
}
