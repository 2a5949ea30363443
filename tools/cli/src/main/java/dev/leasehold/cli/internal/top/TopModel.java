package dev.leasehold.cli.internal.top;

import dev.leasehold.cli.internal.LockQueue;
import dev.leasehold.inspect.LockInfo;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The state of the live view, computed from successive readings of the locks. Not thread-safe. */
final class TopModel {

    private static final double NANOS_PER_SECOND = 1e9;

    private final Clock clock;
    private @Nullable Snapshot snapshot;
    private @Nullable Outage outage;

    /**
     * A time in which readings fail.
     *
     * @param since when the first of them failed
     * @param problem what the last of them said
     */
    record Outage(Instant since, String problem) {}

    TopModel(Clock clock) {
        this.clock = clock;
    }

    /** Replaces the state by a new reading. */
    void read(List<LockInfo> locks, Collection<String> missing) {
        Instant now = clock.instant();
        List<LockRow> rows = locks.stream().map(lock -> LockRow.of(lock, now)).toList();
        snapshot = new Snapshot(now, rows, List.copyOf(missing), handOffsPerSecond(locks, now));
        outage = null;
    }

    /** Records that a reading failed. The last state stays. */
    void failed(String problem) {
        outage = new Outage(outage == null ? clock.instant() : outage.since(), problem);
    }

    /** Returns the last state, or null before the first reading. */
    @Nullable
    Snapshot snapshot() {
        return snapshot;
    }

    /** Returns the outage that lasts, or null. */
    @Nullable
    Outage outage() {
        return outage;
    }

    /** Returns how long the outage lasts; zero without one. */
    Duration outageTime() {
        Duration time = outage == null ? null : LockQueue.elapsed(outage.since(), clock.instant());
        return time == null ? Duration.ZERO : time;
    }

    /** Counts at most one change for each lock. Several hand-offs of a lock between two readings cannot be told apart. */
    private @Nullable Double handOffsPerSecond(List<LockInfo> locks, Instant now) {
        if (snapshot == null) {
            return null;
        }
        double seconds = Duration.between(snapshot.at(), now).toNanos() / NANOS_PER_SECOND;
        if (seconds <= 0) {
            return null;
        }
        Map<String, LockInfo> before = snapshot.rows().stream()
                .map(LockRow::lock)
                .collect(Collectors.toMap(LockInfo::name, Function.identity(), (one, other) -> one));
        long changes = locks.stream()
                .filter(lock -> {
                    LockInfo earlier = before.get(lock.name());
                    return earlier != null && isHandedOff(earlier, lock);
                })
                .count();
        return changes / seconds;
    }

    private static boolean isHandedOff(LockInfo earlier, LockInfo later) {
        return earlier.fencingToken() != later.fencingToken()
                || !earlier.owner().equals(later.owner())
                || !Objects.equals(earlier.since(), later.since());
    }
}
