package dev.leasehold.micrometer;

import dev.leasehold.event.LockTrace;
import dev.leasehold.event.LockTracer;
import io.micrometer.observation.ObservationRegistry;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Observations of the acquisitions and leases of one client, from which tracing creates spans. Register it with the
 * client as a listener:
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
 *     lost</td><td>{@code outcome}: released, lost or exported; {@code cause}: the
 *     {@link dev.leasehold.event.LossCause} of a loss, else none</td></tr>
 * </table>
 *
 * <p>The parent of both is the observation that is current at the call. Without a current observation, the holding is a
 * child of the acquisition. If the lease has a fencing token, the holding has it as {@code token}, a key of high
 * cardinality.
 *
 * <p>Several locks of one call are one lease to their holder, so they are observed as one acquisition and one holding.
 * The holding is lost with the first of the locks and has no token. {@code locks}, a key of high cardinality, is the
 * number of locks. A resumed lease is observed like an acquired one, as a child of the observation that is current at
 * the resumption. A downgrade ends the holding of the writer and starts an acquisition and a holding of its own.
 *
 * <p>If the registry has a tracing handler that propagates the W3C format ({@code traceparent}), the trace id is stored
 * with the holder in Redis: {@link dev.leasehold.inspect.LockInfo#label()} is the trace that holds a lock. A label in
 * the options takes precedence. Other formats give no label.
 *
 * <p>No scope is opened, so no state stays with any thread. The start of an acquisition is recorded on the caller's
 * thread, all else by the client's event executor, so a span may be slightly longer than its lease. Thread-safe.
 */
public final class LeaseholdObservations implements LockTracer {

    private final ObservationRegistry registry;
    private final boolean lockNames;

    private LeaseholdObservations(ObservationRegistry registry, boolean lockNames) {
        this.registry = Objects.requireNonNull(registry, "registry");
        this.lockNames = lockNames;
    }

    /**
     * Creates observations without the name of the lock. An error has the class and the stack trace of the failure, but
     * a message without the name.
     *
     * @param registry the registry of the observations
     * @return a listener for one client
     */
    public static LeaseholdObservations of(ObservationRegistry registry) {
        return new LeaseholdObservations(registry, false);
    }

    /**
     * Creates observations with the name of the lock as {@code lock}, a key of high cardinality: in spans, never in
     * meters. Control and format characters become {@code ?}, and a name longer than 100 characters is truncated.
     *
     * @param registry the registry of the observations
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
