package dev.leasehold.internal.check;

import dev.leasehold.internal.connect.ServerQueries;
import dev.leasehold.internal.connect.ServerQueries.TimeSample;
import dev.leasehold.internal.time.SystemTime;
import dev.leasehold.spi.RedisNode;
import dev.leasehold.spi.TimeSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the clocks of servers. Of several samples the fastest counts, because it is the most exact. This host's wall
 * clock is read once and then advanced by the monotonic clock, so that a step of the wall clock cannot affect a
 * reading.
 */
final class ClockCheck {

    private final TimeSource time = new SystemTime();
    private final long originMicros = time.wallMillis() * 1_000 - time.nanoTime() / 1_000;
    private final List<ClockReading> readings = new ArrayList<>();

    void read(ServerQueries queries, @Nullable RedisNode node, String server, int samples) {
        ClockReading best = null;
        for (int n = 0; n < samples; n++) {
            TimeSample sample = queries.time(node, time);
            // Half the round trip, rounded up.
            long error = (sample.receivedAt() - sample.sentAt()) / 2_000 + 1;
            if (best == null || error < best.errorMicros()) {
                long middle = originMicros + sample.sentAt() / 1_000 + error;
                best = new ClockReading(server, sample.time().micros() - middle, error);
            }
        }
        if (best != null) {
            readings.add(best);
        }
    }

    List<ClockReading> readings() {
        return List.copyOf(readings);
    }
}
