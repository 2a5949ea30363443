package dev.leasehold.internal.inspection;

import dev.leasehold.inspect.LockInfo;
import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.Holder;
import dev.leasehold.internal.key.LockKey;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The holder of a plain lock, read from its value. Of a value that another library wrote, only the value itself is known. */
record PlainHolder(AcquisitionId id, @Nullable Instant since, Holder holder) {

    private static final Pattern OURS = Pattern.compile("(\\S+) (\\d{16}) ([^\n]*)\n(.*)", Pattern.DOTALL);
    private static final Holder UNKNOWN = new Holder("", "", "");

    static PlainHolder of(String value) {
        Matcher ours = OURS.matcher(value);
        if (!ours.matches()) {
            return new PlainHolder(new AcquisitionId(value), null, UNKNOWN);
        }
        Instant since = Instant.EPOCH.plus(Long.parseLong(ours.group(2)), ChronoUnit.MICROS);
        return new PlainHolder(new AcquisitionId(ours.group(1)), since, Holder.read(ours.group(3), ours.group(4)));
    }

    LockInfo info(LockKey key, long leftNanos) {
        return new LockInfo(
                key.name(),
                id.shown(),
                false,
                holder.host(),
                holder.pid(),
                holder.thread(),
                since,
                Duration.ofNanos(leftNanos),
                0,
                1,
                holder.label().isEmpty() ? null : holder.label(),
                false,
                false,
                0,
                0);
    }
}
