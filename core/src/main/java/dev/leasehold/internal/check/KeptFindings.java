package dev.leasehold.internal.check;

import dev.leasehold.diagnostics.Finding;
import dev.leasehold.spi.TimeSource;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the last check of the servers found, for some minutes: health checks show it without another check. Safe for use by any thread. */
public final class KeptFindings {

    private static final long KEPT_NANOS = Duration.ofMinutes(10).toNanos();

    private final TimeSource time;
    private volatile @Nullable Kept last;

    private record Kept(List<Finding> findings, long at) {}

    public KeptFindings(TimeSource time) {
        this.time = time;
    }

    /** Keeps the findings of a check, and returns them. */
    public List<Finding> keep(List<Finding> findings) {
        last = new Kept(findings, time.nanoTime());
        return findings;
    }

    /** Returns the findings of the last check; empty if it was long ago. */
    public List<Finding> get() {
        Kept kept = last;
        return kept == null || time.nanoTime() - kept.at > KEPT_NANOS ? List.of() : kept.findings;
    }
}
