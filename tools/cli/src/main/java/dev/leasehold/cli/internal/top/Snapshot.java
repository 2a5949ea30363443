package dev.leasehold.cli.internal.top;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The locks as one reading found them.
 *
 * @param at the time of the reading
 * @param rows the held locks
 * @param missing the servers that gave no answer, so that their locks are not among the rows
 * @param handOffsPerSecond the locks whose holder changed since the reading before, a second; null after the first reading
 */
record Snapshot(
        Instant at,
        List<LockRow> rows,
        List<String> missing,
        @Nullable Double handOffsPerSecond) {

    Snapshot {
        rows = List.copyOf(rows);
        missing = List.copyOf(missing);
    }

    int held() {
        return rows.size();
    }

    int waiting() {
        return rows.stream().mapToInt(LockRow::waiters).sum();
    }

    @Nullable
    Duration oldestHold() {
        return longest(LockRow::age);
    }

    @Nullable
    Duration longestWait() {
        return longest(LockRow::longestWait);
    }

    private @Nullable Duration longest(Function<LockRow, @Nullable Duration> time) {
        return rows.stream()
                .map(time)
                .filter(Objects::nonNull)
                .max(Comparator.naturalOrder())
                .orElse(null);
    }
}
