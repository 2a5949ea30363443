package dev.leasehold.recipes;

import dev.leasehold.Leasehold;
import dev.leasehold.LockUnavailableException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The count-down latches of a client.
 *
 * <pre>{@code
 * DistributedLatch loaded = Latches.of(leasehold).latch("import:2026-11-21");
 * }</pre>
 *
 * <p>Safe for use by any number of threads.
 */
public interface Latches {

    /**
     * Returns the latches of a client. Nothing is sent.
     *
     * @param leasehold the client, or a proxy of it
     * @return its latches
     */
    static Latches of(Leasehold leasehold) {
        return Objects.requireNonNull(leasehold, "leasehold").unwrap(Latches.class);
    }

    /**
     * Returns the latch of this name. Nothing is sent; two objects with the same name are the same latch. A lock must
     * have another name: each rejects the key of the other.
     *
     * @param name as for {@link Leasehold#lock(String)}
     * @return a view of the latch, which a client has to {@linkplain DistributedLatch#trySet set}
     * @throws IllegalArgumentException if the name breaks the rule
     * @throws IllegalStateException if the client is closed
     * @throws UnsupportedOperationException from a quorum, whose servers cannot agree on a number
     */
    DistributedLatch latch(String name);

    /**
     * Returns the latches that exist now under the client's key prefix, ordered by name. Iterates over the key space
     * by SCAN: meant for people, not for hot paths. A quorum has none.
     *
     * @return the latches, including those that are reached
     * @throws LockUnavailableException if Redis did not answer within the command timeout
     * @throws IllegalStateException if the client is closed
     */
    List<LatchInfo> list();

    /**
     * Returns the same latches, and leaves out those on servers that do not answer within the command timeout.
     *
     * @param unreachable called with the address of each such server, on the calling thread
     * @return the latches of the other servers
     * @throws LockUnavailableException if Redis refused to list the latches, or if no server told which servers there
     *     are
     * @throws IllegalStateException if the client is closed
     */
    List<LatchInfo> list(Consumer<String> unreachable);

    /**
     * Returns the state of one latch.
     *
     * @param name the latch
     * @return its state, or empty if no latch has this name
     * @throws LockUnavailableException if Redis did not answer within the command timeout
     * @throws IllegalArgumentException if the name breaks the rule
     * @throws IllegalStateException if the client is closed
     */
    Optional<LatchInfo> find(String name);
}
