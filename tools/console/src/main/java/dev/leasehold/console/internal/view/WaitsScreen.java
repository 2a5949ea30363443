package dev.leasehold.console.internal.view;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.leasehold.diagnostics.Deadlock;
import dev.leasehold.diagnostics.LockParty;
import dev.leasehold.diagnostics.LockWait;
import dev.leasehold.diagnostics.WaitGraph;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Who waits for whom: the parties, the waits between them by number, and the deadlocks. */
final class WaitsScreen {

    /** The most waits that the page gets: those of deadlocks first, then the longest. */
    private static final int MOST_WAITS = 200;

    private static final Comparator<LockWait> LONGEST_FIRST =
            Comparator.comparing(LockWait::since, Comparator.nullsLast(Comparator.<Instant>naturalOrder()));

    private final JsonGenerator json;
    private final WaitGraph graph;
    private final Map<Object, Integer> numbers = new LinkedHashMap<>();
    private final List<LockParty> parties = new ArrayList<>();

    private WaitsScreen(JsonGenerator json, WaitGraph graph) {
        this.json = json;
        this.graph = graph;
    }

    /** Writes the fields of the screen. The time is when the graph was read. */
    static void write(JsonGenerator json, WaitGraph graph, long at) throws IOException {
        new WaitsScreen(json, graph).write(at);
    }

    private void write(long at) throws IOException {
        List<LockWait> waits = new ArrayList<>();
        graph.deadlocks().forEach(deadlock -> waits.addAll(deadlock.cycle()));
        graph.waits().stream()
                .sorted(LONGEST_FIRST)
                .filter(wait -> deadlockOf(wait) == null)
                .limit(MOST_WAITS)
                .forEach(waits::add);
        json.writeNumberField("waiting", graph.waits().size());
        json.writeArrayFieldStart("waits");
        for (LockWait wait : waits) {
            wait(wait, at);
        }
        json.writeEndArray();
        json.writeArrayFieldStart("deadlocks");
        for (Deadlock deadlock : graph.deadlocks()) {
            deadlock(deadlock);
        }
        json.writeEndArray();
        json.writeArrayFieldStart("silent");
        for (String process : graph.silent()) {
            json.writeString(Shown.name(process));
        }
        json.writeEndArray();
        json.writeArrayFieldStart("parties");
        for (LockParty party : parties) {
            party(party);
        }
        json.writeEndArray();
    }

    private void wait(LockWait wait, long at) throws IOException {
        json.writeStartObject();
        LockJson.name(json, wait.lock());
        json.writeStringField("wants", wait.wants().name().toLowerCase(Locale.ROOT));
        json.writeNumberField("waiter", number(wait.waiter()));
        json.writeArrayFieldStart("holders");
        for (LockParty holder : wait.holders()) {
            json.writeNumber(number(holder));
        }
        json.writeEndArray();
        LockJson.number(json, "waitedMillis", LockJson.millisSince(wait.since(), at));
        LockJson.number(json, "deadlock", deadlockOf(wait));
        json.writeEndObject();
    }

    private @Nullable Long deadlockOf(LockWait wait) {
        for (int i = 0; i < graph.deadlocks().size(); i++) {
            if (graph.deadlocks().get(i).cycle().contains(wait)) {
                return (long) i;
            }
        }
        return null;
    }

    private void deadlock(Deadlock deadlock) throws IOException {
        json.writeStartObject();
        json.writeBooleanField("certain", deadlock.certain());
        json.writeArrayFieldStart("stacks");
        for (LockWait wait : deadlock.cycle()) {
            List<String> frames = deadlock.stacks().getOrDefault(wait.waiter(), List.of());
            if (!frames.isEmpty()) {
                json.writeStartObject();
                json.writeNumberField("party", number(wait.waiter()));
                json.writeArrayFieldStart("frames");
                for (String frame : frames) {
                    json.writeString(Shown.name(frame));
                }
                json.writeEndArray();
                json.writeEndObject();
            }
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    /** Returns the number of a party: one for a thread, even if it acts for several named owners. */
    private int number(LockParty party) {
        Object identity = party.threadId() == 0 ? party : List.of(party.host(), party.pid(), party.threadId());
        return numbers.computeIfAbsent(identity, unknown -> {
            parties.add(party);
            return parties.size() - 1;
        });
    }

    private void party(LockParty party) throws IOException {
        String owner = party.owner();
        json.writeStartObject();
        json.writeStringField("owner", owner == null ? null : Shown.name(owner));
        LockJson.process(json, party.host(), party.pid(), party.thread());
        json.writeEndObject();
    }
}
