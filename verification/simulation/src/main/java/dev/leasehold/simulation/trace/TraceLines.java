package dev.leasehold.simulation.trace;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.leasehold.simulation.history.Entry;
import dev.leasehold.simulation.history.Setting;
import dev.leasehold.simulation.history.Unpromised;
import dev.leasehold.simulation.history.What;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The trace of each lock of a run as lines of JSON, which {@code LeaseholdTrace.tla} checks. Times and tokens are microseconds
 * since a moment before the run, so that they have 31 bits; an id is a number.
 *
 * <p>A line is a "call" of a script, a "fault" of the server, or what a client relies on: it "holds" a lease until a
 * moment, it "ends" a lease, or all its leases became "doubtful".
 */
public final class TraceLines {

    /** More than the clock of a run may step back. */
    private static final long BEFORE_MICROS = 1_200_000_000;

    private static final long NANOS_PER_MICRO = 1000;
    private static final long MICROS_PER_MILLI = 1000;
    private static final JsonFactory JSON = new JsonFactory();

    private final Trace trace;
    private final Setting setting;
    private final Unpromised unpromised;
    private final String name;
    private final List<String> lines = new ArrayList<>();
    private final Map<String, Integer> ids = new HashMap<>();
    /** The hold of each lease, and the leases that another process took over. */
    private final Map<Integer, String> holds = new HashMap<>();

    private final Set<Integer> resumed = new HashSet<>();

    /** Writes one object. */
    private interface Content {
        void write(JsonGenerator json) throws IOException;
    }

    private TraceLines(Trace trace, Setting setting, String name) {
        this.trace = trace;
        this.setting = setting;
        this.unpromised = new Unpromised(trace.history(), setting);
        this.name = name;
    }

    /**
     * Returns the lines of all locks.
     *
     * @param run names the run
     * @param trace what was recorded
     * @param setting the parameters of the run
     */
    public static List<String> of(String run, Trace trace, Setting setting) {
        Set<String> keys = new LinkedHashSet<>();
        trace.steps().stream().map(Trace.Step::key).filter(TraceLines::isLock).forEach(keys::add);
        List<String> all = new ArrayList<>();
        for (String key : keys) {
            TraceLines lines = new TraceLines(trace, setting, run + " " + Entry.lockOf(key));
            lines.write(key);
            all.addAll(lines.lines);
        }
        return all;
    }

    private static boolean isLock(String key) {
        return key.contains("{lock-");
    }

    private void write(String key) {
        String lock = Entry.lockOf(key);
        List<Entry> entries = trace.history().entries();
        int next = 0;
        for (Trace.Step step : trace.steps()) {
            for (; next < step.entries(); next++) {
                client(entries.get(next), lock);
            }
            if (step.key().equals(key)) {
                step(step);
            }
        }
        for (; next < entries.size(); next++) {
            client(entries.get(next), lock);
        }
    }

    private void client(Entry entry, String lock) {
        switch (entry.what()) {
            case CRASHED, CLOSED, CLOCKS_JUMPED ->
                line("doubtful", entry.at(), json -> number(json, "client", entry.client()));
            case SERVER_GRANTED -> holds.put(entry.op(), entry.note());
            case SERVER_RESUMED -> resumed.add(entry.op());
            default -> {
                if (entry.lock().equals(lock) && entry.owner().isEmpty()) {
                    lease(entry);
                }
            }
        }
    }

    private void lease(Entry entry) {
        switch (entry.what()) {
            case GRANTED, HELD -> holds(entry);
            case NOT_HELD, LOST, RELEASE_INVOKED -> ends(entry);
            default -> {}
        }
    }

    /** Not if the report may be wrong by what docs/guarantees.md says of clocks, nor if another process has taken the lease over. */
    private void holds(Entry entry) {
        boolean doubtful =
                unpromised.clockMayHaveStood(entry.client(), trace.history().began(entry.op()), entry.at());
        if (!doubtful && !resumed.contains(entry.op())) {
            line("holds", entry.at(), json -> {
                number(json, "client", entry.client());
                number(json, "lease", entry.op());
                number(json, "id", id(holds.getOrDefault(entry.op(), "unknown")));
                number(json, "token", relative(entry.token()));
                number(json, "until", at(entry.until()));
                json.writeBooleanField("granted", entry.what() == What.GRANTED);
            });
        }
    }

    private void ends(Entry entry) {
        line("ends", entry.at(), json -> {
            number(json, "lease", entry.op());
            json.writeBooleanField("over", entry.what() != What.NOT_HELD);
        });
    }

    private void step(Trace.Step step) {
        Answered call = step.call();
        if (call == null) {
            line("fault", step.at(), json -> {
                json.writeStringField("fault", step.fault());
                number(json, "time", relative(step.micros()));
                json.writeBooleanField("keeps", step.keeps());
                state(json, "before", step.before());
                state(json, "after", step.after());
            });
        } else {
            line("call", step.at(), json -> {
                number(json, "time", relative(step.micros()));
                Asked asked = Asked.of(call);
                json.writeStringField("op", asked.op());
                number(json, "id", asked.op().equals("other") ? 0 : id(asked.id()));
                number(json, "lease", asked.lease());
                number(json, "notAfter", relative(asked.notAfter()));
                number(json, "floor", relative(asked.floor()));
                number(json, "tokens", asked.tokens());
                number(json, "used", relative(asked.used()));
                number(json, "last", relative(asked.last()));
                json.writeBooleanField("again", asked.again());
                number(json, "memory", setting.memoryNanos() / NANOS_PER_MICRO);
                json.writeStringField("code", call.word());
                number(json, "left", asked.left());
                number(json, "token", relative(asked.token()));
                number(json, "highest", relative(asked.highest()));
                state(json, "before", step.before());
                state(json, "after", step.after());
            });
        }
    }

    private void state(JsonGenerator json, String field, LockState state) throws IOException {
        json.writeObjectFieldStart(field);
        json.writeStringField("kind", state.kind());
        number(json, "id", id(state.id()));
        number(json, "from", relative(state.from()));
        number(json, "length", state.length());
        number(json, "first", relative(state.first()));
        number(json, "last", relative(state.last()));
        // A key exists until the millisecond of its expiry is over.
        long expiry = state.expiryMillis();
        number(json, "expiry", expiry == 0 ? -1 : relative((expiry + 1) * MICROS_PER_MILLI));
        json.writeBooleanField("waited", state.waited());
        json.writeArrayFieldStart("stones");
        for (Map.Entry<String, Long> stone : state.tombstones().entrySet()) {
            json.writeStartArray();
            json.writeNumber(id(stone.getKey()));
            json.writeNumber(relative(stone.getValue()));
            json.writeEndArray();
        }
        json.writeEndArray();
        json.writeBooleanField("retained", state.retained());
        json.writeEndObject();
    }

    private void line(String kind, long nanos, Content content) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(text)) {
            json.writeStartObject();
            json.writeStringField("trace", name);
            json.writeStringField("line", kind);
            number(json, "at", at(nanos));
            content.write(json);
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        lines.add(text.toString());
    }

    /** Writes a number, or the nearest that has 32 bits: that is wrong in either case. */
    private static void number(JsonGenerator json, String field, long value) throws IOException {
        json.writeNumberField(field, (int) Math.max(Integer.MIN_VALUE, Math.min(value, Integer.MAX_VALUE)));
    }

    private int id(@Nullable String id) {
        return id == null || id.isEmpty() ? 0 : ids.computeIfAbsent(id, fresh -> ids.size() + 1);
    }

    private long at(long nanos) {
        return nanos / NANOS_PER_MICRO + BEFORE_MICROS;
    }

    /** Converts a moment of Redis' clock, or a token; 0 stands for none. */
    private long relative(long micros) {
        return micros == 0 ? 0 : micros - setting.epochMicros() + BEFORE_MICROS;
    }
}
