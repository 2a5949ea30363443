package dev.leasehold.micrometer;

import dev.leasehold.event.LockTrace;
import dev.leasehold.event.LockTracer;
import io.micrometer.observation.ObservationRegistry;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Observations of the acquisitions and leases of one client, from which tracing makes spans. Given to the client as a listener:
 *
 * <pre>{@code
 * Leasehold leasehold = Leasehold.builder()
 *         .uri("redis://localhost:6379")
 *         .listener(LeaseholdObservations.of(registry))
 *         .build();
 * }</pre>
 *
 * <table>
 * <caption>The observations</caption>
 * <tr><th>name</th><th>from</th><th>to</th><th>keys of low cardinality</th></tr>
 * <tr><td>{@code leasehold.acquisition}</td><td>the call</td><td>its end, with or without a lease; an error if it
 *     failed</td><td>{@code outcome}: acquired, busy, failed or abandoned</td></tr>
 * <tr><td>{@code leasehold.holding}</td><td>the grant</td><td>the end of the lease; an error if it was
 *     lost</td><td>{@code outcome}: released, lost or exported; {@code cause}: of a loss as
 *     {@link dev.leasehold.event.LossCause}, else none</td></tr>
 * </table>
 *
 * <p>The parent of both is the observation that is current where the lock is asked for; where there is none, the holding is a
 * child of the acquisition. The fencing token, where there is one, is {@code token}, a key of high cardinality of the holding.
 *
 * <p>Several locks of one call are observed as what they are to their holder, one lease: one acquisition and one holding, which is
 * lost with the first of them, have no token, and say by {@code locks}, a key of high cardinality, how many they are. A resumed
 * lease is observed as one that is acquired, within what is current where it is resumed. A downgrade ends the holding of the writer,
 * and brings an acquisition and a holding of its own.
 *
 * <p>Where the registry has a tracing handler that propagates the W3C format ({@code traceparent}), the trace id is written
 * beside the holder in Redis: {@link dev.leasehold.inspect.LockInfo#label()} tells which trace holds a lock. A label in the
 * options wins. Other formats bring no label.
 *
 * <p>No scope is opened: nothing stays with any thread. The beginning of an acquisition is told on the caller's thread, the rest by
 * the client's event executor, so a span may be a moment longer than what it tells of. Safe for use by any thread.
 */
public final class LeaseholdObservations implements LockTracer {

    private final ObservationRegistry registry;
    private final boolean lockNames;

    private LeaseholdObservations(ObservationRegistry registry, boolean lockNames) {
        this.registry = Objects.requireNonNull(registry, "registry");
        this.lockNames = lockNames;
    }

    /**
     * Observations that do not name the lock: an error is of the class of the failure, and has its stack, but a text of its own.
     *
     * @param registry where they are made
     * @return a listener for one client
     */
    public static LeaseholdObservations of(ObservationRegistry registry) {
        return new LeaseholdObservations(registry, false);
    }

    /**
     * Observations with the name of the lock as {@code lock}, a key of high cardinality: in spans, never in figures. Control and
     * format characters are {@code ?}, and a name longer than 100 characters is cut.
     *
     * @param registry where they are made
     * @return a listener for one client
     */
    public static LeaseholdObservations withLockNames(ObservationRegistry registry) {
        return new LeaseholdObservations(registry, true);
    }

    @Override
    public @Nullable LockTrace begins(String lockName) {
        return registry.isNoop() ? null : ObservedLock.begin(registry, lockNames ? TagText.of(lockName) : null, 1);
    }

    @Override
    public @Nullable LockTrace begins(List<String> names) {
        return registry.isNoop()
                ? null
                : ObservedLock.begin(registry, lockNames ? TagText.of(String.join(", ", names)) : null, names.size());
    }
}
