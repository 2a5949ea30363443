package dev.leasehold.console.internal.view;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.leasehold.console.internal.observe.HeldLock;
import dev.leasehold.console.internal.observe.LockObservation;
import dev.leasehold.console.internal.observe.Observation;
import dev.leasehold.console.internal.observe.Reading;
import dev.leasehold.console.internal.observe.Snapshot;
import dev.leasehold.diagnostics.Finding;
import dev.leasehold.diagnostics.WaitGraph;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Supplier;

/** The screens of the page by their names. Each is one JSON object for each refresh. */
public final class Screens {

    private final LockObservation locks;
    private final Reading<WaitGraph> waits;
    private final Reading<List<Finding>> checks;
    private final String servers;
    private final boolean openActions;

    /**
     * Creates the screens.
     *
     * @param servers the address of Redis as the page shows it, without secrets
     * @param openActions whether the page offers the actions
     */
    public Screens(
            LockObservation locks,
            Reading<WaitGraph> waits,
            Reading<List<Finding>> checks,
            String servers,
            boolean openActions) {
        this.locks = locks;
        this.waits = waits;
        this.checks = checks;
        this.servers = Shown.message(servers);
        this.openActions = openActions;
    }

    /** Returns a screen by the parameters of its request; empty if there is none of that name. */
    public Optional<Screen> of(Map<String, String> parameters) {
        String name = parameters.getOrDefault("name", "");
        return switch (parameters.getOrDefault("screen", "")) {
            case "now" -> Optional.of(now(parameters.getOrDefault("search", "")));
            case "lock" -> Optional.of(overLocks((json, snapshot) -> LockScreen.write(json, name, snapshot, locks)));
            case "heat" -> Optional.of(overLocks((json, snapshot) -> HeatScreen.write(json, snapshot, locks.heat())));
            case "waits" ->
                Optional.of(over(waits, (json, graph) -> WaitsScreen.write(json, graph.value(), graph.wallMillis())));
            case "servers" -> Optional.of(over(checks, (json, found) -> ServersScreen.write(json, found.value())));
            default -> Optional.empty();
        };
    }

    private Screen now(String search) {
        NowScreen screen = new NowScreen(search);
        return overLocks(screen::write);
    }

    private interface LocksBody {
        void write(JsonGenerator json, Snapshot snapshot) throws IOException;
    }

    private interface ReadingBody<T> {
        void write(JsonGenerator json, Reading.Result<T> result) throws IOException;
    }

    private Screen overLocks(LocksBody body) {
        return new Screen(locks, () -> {
            Snapshot snapshot = locks.snapshot();
            return Json.object(json -> {
                common(json);
                json.writeStringField("status", snapshot.status().name().toLowerCase(Locale.ROOT));
                LockJson.number(
                        json,
                        "ageMillis",
                        snapshot.wallMillis() == 0 ? null : (Long) locks.ageMillis(snapshot.nanos()));
                json.writeStringField("problem", Shown.message(snapshot.problem()));
                json.writeArrayFieldStart("unreachable");
                for (String node : new TreeSet<>(snapshot.unreachable())) {
                    json.writeString(Shown.name(node));
                }
                json.writeEndArray();
                json.writeNumberField("commandsPerSecond", snapshot.commandsPerSecond());
                json.writeNumberField("refreshMillis", snapshot.intervalMillis());
                json.writeNumberField("held", snapshot.locks().size());
                json.writeNumberField("waiting", waiting(snapshot));
                body.write(json, snapshot);
            });
        });
    }

    private static int waiting(Snapshot snapshot) {
        return snapshot.locks().stream()
                .map(HeldLock::info)
                .mapToInt(info -> info.waiters().size())
                .sum();
    }

    private static String status(Reading.Result<?> result) {
        if (!result.supported()) {
            return "unsupported";
        }
        return !result.problem().isEmpty() ? "gone" : result.wallMillis() == 0 ? "loading" : "live";
    }

    private void common(JsonGenerator json) throws IOException {
        json.writeStringField("servers", servers);
        json.writeBooleanField("openActions", openActions);
    }

    private <T> Screen over(Reading<T> reading, ReadingBody<T> body) {
        return new Screen(reading, () -> {
            Reading.Result<T> result = reading.result();
            boolean read = result.wallMillis() != 0;
            return Json.object(json -> {
                common(json);
                json.writeStringField("status", status(result));
                LockJson.number(json, "ageMillis", read ? (Long) reading.ageMillis(result.nanos()) : null);
                json.writeStringField("problem", Shown.message(result.problem()));
                json.writeNumberField("refreshMillis", result.intervalMillis());
                body.write(json, result);
            });
        });
    }

    /**
     * One screen.
     *
     * @param observation what it shows
     * @param json renders its present state
     */
    public record Screen(Observation observation, Supplier<String> json) {}
}
