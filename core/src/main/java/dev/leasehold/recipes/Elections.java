package dev.leasehold.recipes;

import dev.leasehold.Leasehold;
import java.util.Objects;

/**
 * The elections in which a client has candidates.
 *
 * <pre>{@code
 * LeaderElection election = Elections.of(leasehold).election("scheduler");
 * }</pre>
 *
 * <p>Safe for use by any number of threads.
 */
public interface Elections {

    /**
     * Returns the elections of a client. Nothing is sent.
     *
     * @param leasehold the client, or a proxy of it
     * @return its elections
     */
    static Elections of(Leasehold leasehold) {
        return Objects.requireNonNull(leasehold, "leasehold").unwrap(Elections.class);
    }

    /**
     * Returns the election of this name. Nothing is sent; the leader holds the fair lock of this name.
     *
     * @param name as for {@link Leasehold#lock(String)}
     * @return a view of the election, with the client's default options for the leader's lease
     * @throws IllegalArgumentException if the name breaks the rule, or if the client's wait strategy is to poll
     * @throws IllegalStateException if the client is closed
     * @throws UnsupportedOperationException from a quorum, whose servers register candidates in different orders, or if
     *     {@link dev.leasehold.LeaseholdBuilder#lockFormat} keeps locks of this name in another format
     */
    LeaderElection election(String name);
}
