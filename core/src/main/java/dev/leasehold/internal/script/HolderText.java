package dev.leasehold.internal.script;

import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.Holder;
import dev.leasehold.internal.key.OwnerKey;
import dev.leasehold.internal.store.InspectLock;
import dev.leasehold.internal.store.ServerTime;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The text that names the holder of a lock in a format of others. Of a text that another library wrote, only the text itself is known. */
public record HolderText(AcquisitionId id, @Nullable Instant since, Holder holder) {

    private static final Pattern OURS = Pattern.compile("(\\S+) (\\d{16}) ([^\n]*)\n(.*)", Pattern.DOTALL);
    private static final Holder UNKNOWN = new Holder("", "", "");

    /** Reads a value. */
    public static HolderText of(String value) {
        Matcher ours = OURS.matcher(value);
        if (!ours.matches()) {
            return new HolderText(new AcquisitionId(value), null, UNKNOWN);
        }
        Instant since = Instant.EPOCH.plus(Long.parseLong(ours.group(2)), ChronoUnit.MICROS);
        return new HolderText(new AcquisitionId(ours.group(1)), since, Holder.read(ours.group(3), ours.group(4)));
    }

    /** Returns the answer about a lock that has this value for so long, and this token, 0 if none; and what could not be read, for people. */
    public InspectLock.Answer answer(ServerTime now, long leftNanos, long token, String problem) {
        InspectLock.Hold hold = new InspectLock.Hold(OwnerKey.anonymous(id), since, leftNanos, 1, holder);
        InspectLock.State state =
                new InspectLock.State(null, List.of(hold), token, false, false, 0, false, List.of(), problem);
        return new InspectLock.Answer(InspectLock.Code.LOCK, now, state, "");
    }
}
