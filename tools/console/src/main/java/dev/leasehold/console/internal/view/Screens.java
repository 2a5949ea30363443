package dev.leasehold.console.internal.view;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.leasehold.console.internal.observe.HeldLock;
import dev.leasehold.console.internal.observe.LockObservation;
import dev.leasehold.console.internal.observe.Observation;
import dev.leasehold.console.internal.observe.ServerChecks;
import dev.leasehold.console.internal.observe.Snapshot;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Supplier;

/** The screens of the page by their names. Each is one JSON object for each refresh. */
public final class Screens {

    private final LockObservation locks;
    private final ServerChecks checks;
    private final String servers;
    private final boolean openActions;

    /**
     * Creates the screens.
     *
     * @param servers the address of Redis as the page shows it, without secrets
     * @param openActions whether the page offers the actions
     */
    public Screens(LockObservation locks, ServerChecks checks, String servers, boolean openActions) {
        this.locks = locks;
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
            case "servers" -> Optional.of(new Screen(checks, this::servers));
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

    private void common(JsonGenerator json) throws IOException {
        json.writeStringField("servers", servers);
        json.writeBooleanField("openActions", openActions);
    }

    private String servers() {
        ServerChecks.Result result = checks.result();
        return Json.object(json -> {
            common(json);
            String status = !result.problem().isEmpty() ? "gone" : result.checked() ? "live" : "loading";
            json.writeStringField("status", status);
            LockJson.number(json, "ageMillis", result.checked() ? (Long) checks.ageMillis(result) : null);
            json.writeStringField("problem", Shown.message(result.problem()));
            ServersScreen.write(json, result.findings());
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
