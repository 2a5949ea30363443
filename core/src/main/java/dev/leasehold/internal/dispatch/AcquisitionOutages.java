package dev.leasehold.internal.dispatch;

import dev.leasehold.LockUnavailableException;
import dev.leasehold.diagnostics.Finding;
import dev.leasehold.event.FailureReason;
import dev.leasehold.internal.time.TimeText;
import dev.leasehold.spi.TimeSource;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Outages of acquisitions: logs one when it begins and when it is over, and says for health checks whether Redis refuses every
 * acquisition now. Safe for use by any thread.
 */
public final class AcquisitionOutages {

    private static final Logger LOG = LoggerFactory.getLogger("dev.leasehold.acquisitions");

    /** So long a refusal has to last: if it concerns only some locks or some nodes, others are granted meanwhile. */
    private static final long CERTAIN_NANOS = 10_000_000_000L;

    /** So long after the last failure nobody knows any more: an instance that gets no requests must not stay down for ever. */
    private static final long KNOWN_NANOS = 60_000_000_000L;

    private static final Set<FailureReason> ALL = EnumSet.allOf(FailureReason.class);
    private static final Set<FailureReason> SILENCE = EnumSet.of(FailureReason.NO_ANSWER);

    /** A health check sees for itself whether Redis answers. */
    private static final Set<FailureReason> REFUSALS = EnumSet.complementOf(EnumSet.of(FailureReason.NO_ANSWER));

    private final Outages outages = new Outages();
    private final TimeSource time;

    public AcquisitionOutages(TimeSource time) {
        this.time = time;
    }

    /** An acquisition failed; failures that only concern its lock, such as other data in its key, are none of Redis. */
    public void failed(FailureReason reason, RuntimeException failure) {
        boolean ofRedis = failure instanceof LockUnavailableException
                && (reason != FailureReason.REFUSED || failure.getCause() != null);
        if (!ofRedis) {
            return;
        }
        if (outages.failed(reason, time.nanoTime())) {
            LOG.warn(
                    "an acquisition failed, and others may fail, too: {}. The log tells when one is granted again; level DEBUG"
                            + " tells of each that fails",
                    failure.getMessage());
        } else {
            LOG.debug("an acquisition failed: {}", failure.getMessage());
        }
    }

    /** Redis granted an acquisition. */
    public void granted() {
        over(ALL);
    }

    /** Redis answered that a lock is held, which it may do while it could not grant it. */
    public void answered() {
        over(SILENCE);
    }

    private void over(Set<FailureReason> disproved) {
        outages.succeeded(disproved)
                .ifPresent(over -> LOG.info(
                        "Redis {} acquisitions again, after {}",
                        disproved == ALL ? "grants" : "answers",
                        TimeText.of(Duration.ofNanos(time.nanoTime() - over.since()))));
    }

    /** Returns why Redis refuses every acquisition now, if it does. */
    public Optional<Finding> refusal() {
        long now = time.nanoTime();
        return outages.current(REFUSALS)
                .filter(outage -> now - outage.since() >= CERTAIN_NANOS && now - outage.latest() < KNOWN_NANOS)
                .map(outage -> new Finding(
                        Finding.Level.DANGER,
                        "acquisitions",
                        "Redis has granted no lock for " + TimeText.of(Duration.ofNanos(now - outage.since())) + ": "
                                + problem(outage.reason()) + ".",
                        remedy(outage.reason())));
    }

    private static String problem(FailureReason reason) {
        return switch (reason) {
            case OUT_OF_MEMORY -> "it is out of memory";
            case NOT_PERMITTED -> "the user lacks a right, or its password is wrong";
            case TOO_FEW_REPLICAS -> "too few replicas or disks acknowledge";
            case REFUSED, NO_ANSWER, CLOSED -> "it refuses with an error";
        };
    }

    private static String remedy(FailureReason reason) {
        return switch (reason) {
            case OUT_OF_MEMORY -> "Raise maxmemory, or remove data.";
            case NOT_PERMITTED -> "leasehold doctor names the rights; docs/operations.md, section 2, lists them.";
            case TOO_FEW_REPLICAS -> "Check the replicas and the network to them.";
            case REFUSED, NO_ANSWER, CLOSED -> "The log names the error. Check the log of Redis.";
        };
    }
}
