package dev.leasehold.console.internal.view;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.leasehold.console.internal.observe.Heat;
import dev.leasehold.console.internal.observe.Snapshot;
import dev.leasehold.inspect.LockInfo;
import dev.leasehold.inspect.WaiterInfo;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The busiest names: those with waiters first, then by hand-offs and by the share of time held. */
final class HeatScreen {

    private static final int MOST_ROWS = 200;

    /** Below this nothing is left of a name that the page could show. */
    private static final double COLD = 0.0005;

    private static final Comparator<Heat> BUSIEST_FIRST = Comparator.comparingInt(Heat::waiting)
            .thenComparingDouble(Heat::handOffs)
            .thenComparingDouble(Heat::share)
            .reversed()
            .thenComparing(Heat::name);

    private HeatScreen() {}

    static void write(JsonGenerator json, Snapshot snapshot, List<Heat> heat) throws IOException {
        List<Heat> warm = heat.stream()
                .filter(name -> name.info() != null || name.share() > COLD)
                .sorted(BUSIEST_FIRST)
                .toList();
        json.writeNumberField("names", warm.size());
        json.writeArrayFieldStart("heat");
        for (Heat name : warm.subList(0, Math.min(MOST_ROWS, warm.size()))) {
            name(json, name, snapshot.wallMillis());
        }
        json.writeEndArray();
    }

    private static void name(JsonGenerator json, Heat heat, long at) throws IOException {
        json.writeStartObject();
        LockJson.name(json, heat.name());
        json.writeNumberField("handOffs", heat.handOffs());
        json.writeNumberField("share", heat.share());
        json.writeBooleanField("isHeld", heat.info() != null);
        json.writeNumberField("waiting", heat.waiting());
        LockJson.number(json, "longestWaitMillis", longestWait(heat.info(), at));
        LockJson.number(json, "medianWaitMillis", millis(heat.median()));
        LockJson.number(json, "tailWaitMillis", millis(heat.tail()));
        json.writeEndObject();
    }

    private static @Nullable Long millis(@Nullable Duration waited) {
        return waited == null ? null : (Long) waited.toMillis();
    }

    private static @Nullable Long longestWait(@Nullable LockInfo info, long at) {
        Instant first = info == null
                ? null
                : info.waiters().stream()
                        .map(WaiterInfo::since)
                        .filter(Objects::nonNull)
                        .min(Comparator.naturalOrder())
                        .orElse(null);
        return LockJson.millisSince(first, at);
    }
}
