package dev.leasehold.internal.inspection;

import dev.leasehold.inspect.LockInfo;
import dev.leasehold.internal.key.Holder;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.OwnerKey;
import dev.leasehold.internal.script.InspectScript;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The holds of a lock, read from its hash. A hold is live until its end, its length after its
 * beginning, which is never later than now. */
final class HoldTable {

    private final LockKey key;
    private final Map<String, String> fields;
    private final long now;
    private final List<Hold> live = new ArrayList<>();

    private record Hold(String id, long end, long since) {}

    private HoldTable(LockKey key, InspectScript.Answer answer) {
        this.key = key;
        this.fields = answer.fields();
        this.now = answer.now().micros();
        fields.forEach(this::read);
        live.sort(Comparator.comparingLong(Hold::since));
    }

    static HoldTable of(LockKey key, InspectScript.Answer answer) {
        return new HoldTable(key, answer);
    }

    private void read(String field, String value) {
        if (!field.startsWith("h:")) {
            return;
        }
        String[] parts = value.split(":", -1);
        long end = Math.min(Long.parseLong(parts[0]), now) + Long.parseLong(parts[1]);
        if (end > now) {
            live.add(new Hold(field.substring(2), end, Long.parseLong(parts[2])));
        }
    }

    int live() {
        return live.size();
    }

    boolean ownedBy(OwnerKey owner) {
        return owner.field().equals(fields.get("own"));
    }

    boolean held() {
        return !live.isEmpty();
    }

    boolean heldAsPermits() {
        return held() && OwnerKey.PERMITS.equals(fields.get("own"));
    }

    /** The number of permits that are taken. */
    int permitsHeld() {
        if (!heldAsPermits()) {
            return 0;
        }
        return live.stream()
                .mapToInt(hold -> Integer.parseInt(fields.getOrDefault("p:" + hold.id, "1")))
                .sum();
    }

    /** The number of permits of the semaphore; 0 if no client has set it. */
    int permits() {
        String total = fields.get("pt");
        return total == null ? 0 : Integer.parseInt(permitsChanged() ? total.substring(1) : total);
    }

    /** Returns whether the number of permits was changed; then it counts, whatever number a client passes. */
    boolean permitsChanged() {
        return fields.getOrDefault("pt", "").startsWith("=");
    }

    Optional<LockInfo> info() {
        if (live.isEmpty()) {
            return Optional.empty();
        }
        Hold oldest = live.get(0);
        long end = live.stream().mapToLong(Hold::end).max().orElse(now);
        String owner = fields.getOrDefault("own", oldest.id);
        boolean reads = owner.equals(OwnerKey.READERS);
        String own = reads || heldAsPermits() ? oldest.id : owner;
        Holder holder =
                Holder.read(fields.getOrDefault("i:" + oldest.id, ""), fields.getOrDefault("l:" + oldest.id, ""));
        String firstOfRun = fields.get("tok");
        return Optional.of(new LockInfo(
                key.name(),
                OwnerKey.display(own),
                OwnerKey.isNamed(own),
                holder.host(),
                holder.pid(),
                holder.thread(),
                Instant.EPOCH.plus(oldest.since, ChronoUnit.MICROS),
                Duration.of(end - now, ChronoUnit.MICROS),
                heldAsPermits()
                        ? 0
                        : Long.parseLong(firstOfRun != null ? firstOfRun : fields.getOrDefault("last", "0")),
                live.size(),
                holder.label().isEmpty() ? null : holder.label(),
                firstOfRun != null,
                reads,
                permitsHeld(),
                heldAsPermits() ? permits() : 0));
    }
}
