package dev.leasehold.internal.engine;

import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.ReadKey;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Where readers of this client meet who share a hold in Redis. Of each lock the latest hold takes more for a moment, unless a
 * writer of this client waits; then Redis is asked, which knows whether a writer of another does.
 */
final class ReadRoom {

    private final Engine engine;
    private final Map<LockKey, Reading> readings = new ConcurrentHashMap<>();

    ReadRoom(Engine engine) {
        this.engine = engine;
    }

    /** Redis has granted a hold, asked for at that moment: others may join. */
    void open(LeaseRecord first, long sentAt) {
        readings.put(first.key, new Reading(first, sentAt));
    }

    /**
     * Lets a reader share the hold that is there; null if there is none, or Redis must be asked.
     *
     * @param invited whether it has waited together with the first of them, so that who waits to write is behind both
     */
    @Nullable
    Grant join(LeaseRecord reader, boolean invited) {
        if (!readings.containsKey(reader.key)
                || !(reader.key instanceof ReadKey key)
                || (!invited && engine.waitRoom.anybodyWaits(key.write()))) {
            return null;
        }
        long now = engine.time.nanoTime();
        long surplus = engine.suspension.check();
        Grant[] joined = new Grant[1];
        readings.computeIfPresent(key, (name, reading) -> {
            if (reading.takes(reader.options, now, surplus)) {
                joined[0] = reading.join(reader, now);
            }
            return reading;
        });
        return joined[0];
    }

    /**
     * A lease does not need its hold any more.
     *
     * @return whether nobody else does: so if the hold is its own, or the last of those who shared it leaves
     */
    boolean leave(LeaseRecord record) {
        Reading reading = record.reading();
        if (reading == null) {
            return true;
        }
        boolean[] last = new boolean[1];
        readings.compute(record.key, (name, latest) -> {
            last[0] = reading.leave(record);
            return latest == reading && reading.over() ? null : latest;
        });
        return last[0];
    }
}
