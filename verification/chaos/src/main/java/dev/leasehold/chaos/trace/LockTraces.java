package dev.leasehold.chaos.trace;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.leasehold.chaos.check.Level;
import dev.leasehold.chaos.history.Event;
import dev.leasehold.chaos.history.What;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The history of each exclusive lock of a run as lines of JSON, which {@code LeaseholdHistory.tla} checks. Times are
 * microseconds since the first event, and so are tokens, about, so that they have 31 bits.
 *
 * <p>A line says what a client did or learned: it "asks" for a lock, is "granted" a lease, is told "busy", or learns
 * "nothing"; its lease "holds" until a moment, or is "lost"; it "releases" and has "released". The "death" of a process
 * and the span in which a fault "loses" data and is "over" are in the trace of each lock. A request has the outcome and the
 * token that its client learns later, so that the model need not try every order of grants.
 */
public final class LockTraces {

    private static final String EXCLUSIVE = "mutex";
    private static final Set<String> CLOCKS = Set.of("clock-forward", "clock-back", "clock-drift", "worker-clock");
    private static final long NANOS_PER_MICRO = 1000;
    /** TLC has 31 bits. */
    private static final long MOST_MICROS = 2_000_000_000;

    private static final long BEFORE_FIRST_MICROS = 100_000_000;
    private static final JsonFactory JSON = new JsonFactory();

    private final Level level;
    private final long start;
    private final Map<String, Event> invoked = new HashMap<>();
    private final Map<String, Event> outcomes = new HashMap<>();
    private final Map<String, Long> first = new HashMap<>();
    private final Map<String, String> losing = new HashMap<>();
    private final Map<String, List<String>> lines = new LinkedHashMap<>();
    private final Set<String> unmodelled = new TreeSet<>();
    private long acquisitions;
    private long unmodelledAcquisitions;

    /** Writes the fields of one object. */
    private interface Content {
        void write(JsonGenerator json) throws IOException;
    }

    private LockTraces(Level level, long start) {
        this.level = level;
        this.start = start;
    }

    /**
     * Converts the events of a run, in the order of time.
     *
     * @throws IllegalArgumentException if a clock was moved, or the run took more than half an hour
     */
    public static LockTraces of(List<Event> events, Level level) {
        LockTraces traces =
                new LockTraces(level, events.isEmpty() ? 0 : events.get(0).at());
        events.forEach(traces::prepare);
        diedAtLast(events).forEach(traces::add);
        return traces;
    }

    /** Moves each death, which the driver records before it kills, behind what the process still recorded. */
    private static List<Event> diedAtLast(List<Event> events) {
        Map<String, Long> last = new HashMap<>();
        events.forEach(event -> last.put(event.process(), event.at()));
        return events.stream()
                .map(event -> event.is(What.KILLED)
                        ? event.movedTo(Math.max(event.at(), last.getOrDefault(event.thread(), 0L)))
                        : event)
                .sorted(Comparator.comparingLong(Event::at).thenComparing(event -> event.is(What.KILLED)))
                .toList();
    }

    /** Returns the lines, lock by lock. */
    public List<String> lines() {
        return lines.values().stream().flatMap(List::stream).toList();
    }

    private void prepare(Event event) {
        boolean modelled = isExclusive(event.lock());
        switch (event.what()) {
            case INVOKED -> {
                if (modelled) {
                    acquisitions++;
                    invoked.put(event.op(), event);
                    lines.computeIfAbsent(event.lock(), lock -> new ArrayList<>());
                } else {
                    unmodelledAcquisitions++;
                    unmodelled.add(event.lock());
                }
            }
            case GRANTED, BUSY, UNAVAILABLE, REFUSED -> {
                outcomes.put(event.op(), event);
                if (modelled && event.is(What.GRANTED)) {
                    first.putIfAbsent(event.lock(), event.token());
                }
            }
            case FAULT_BEGINS -> {
                if (CLOCKS.contains(event.note())) {
                    throw new IllegalArgumentException("clocks that move are not in the model: " + event);
                }
                if (level.losesHolds(event.note())) {
                    losing.put(event.op(), event.note());
                }
            }
            default -> {}
        }
    }

    private static boolean isExclusive(String lock) {
        return lock.startsWith(EXCLUSIVE);
    }

    private void add(Event event) {
        switch (event.what()) {
            case FAULT_BEGINS -> ofLosing(event, "loses");
            case FAULT_ENDS -> ofLosing(event, "over");
            case KILLED -> ofAll(event, "death", json -> json.writeStringField("client", event.thread()));
            default -> {
                if (isExclusive(event.lock()) && invoked.containsKey(event.op())) {
                    ofOne(event);
                }
            }
        }
    }

    private void ofLosing(Event event, String name) {
        String fault = losing.get(event.op());
        if (fault != null) {
            ofAll(event, name, json -> json.writeStringField("fault", fault));
        }
    }

    private void ofOne(Event event) {
        switch (event.what()) {
            case INVOKED -> asks(event);
            case GRANTED -> until(event, "granted");
            case HELD -> until(event, "holds");
            case BUSY -> line(event, "busy", json -> {});
            case UNAVAILABLE, REFUSED -> line(event, "nothing", json -> {});
            case LOST, NOT_HELD -> line(event, "lost", json -> json.writeBooleanField("over", false));
            case RELEASE_LOST -> line(event, "lost", json -> json.writeBooleanField("over", true));
            case RELEASING -> line(event, "releases", json -> {});
            case RELEASED ->
                line(
                        event,
                        "released",
                        json -> json.writeBooleanField("failed", !event.note().isEmpty()));
            default -> {}
        }
    }

    private void asks(Event event) {
        Event outcome = outcomes.get(event.op());
        line(event, "asks", json -> {
            json.writeNumberField("lease", event.value() / NANOS_PER_MICRO);
            json.writeBooleanField("retains", event.note().contains(" retains"));
            if (outcome != null && outcome.is(What.GRANTED)) {
                json.writeStringField("outcome", "granted");
                json.writeNumberField("token", token(outcome));
                // A lease that has ended when it is recorded tells nothing of its end.
                json.writeNumberField("until", outcome.value() > outcome.at() ? at(outcome.value()) : 0);
            } else {
                json.writeStringField("outcome", outcome != null && outcome.is(What.BUSY) ? "busy" : "nothing");
                json.writeNumberField("token", 0);
                json.writeNumberField("until", 0);
            }
        });
    }

    private void until(Event event, String name) {
        long until = at(Math.max(event.at(), event.value()));
        line(event, name, json -> {
            json.writeNumberField("until", until);
            if (event.is(What.GRANTED)) {
                json.writeNumberField("token", token(event));
            }
        });
    }

    /** Returns a token by which the order of all tokens is kept, unless they differ by more than time passes in a run. */
    private long token(Event event) {
        long later = event.token() - first.getOrDefault(event.lock(), 0L);
        return Math.max(1, Math.min(MOST_MICROS, BEFORE_FIRST_MICROS + later));
    }

    private long at(long nanos) {
        long micros = (nanos - start) / NANOS_PER_MICRO;
        if (micros > MOST_MICROS - BEFORE_FIRST_MICROS) {
            throw new IllegalArgumentException("a run of more than half an hour does not fit into the model");
        }
        return micros;
    }

    private void ofAll(Event event, String name, Content content) {
        lines.keySet().forEach(lock -> line(lock, event, name, content));
    }

    private void line(Event event, String name, Content content) {
        line(event.lock(), event, name, json -> {
            json.writeStringField("op", event.op());
            json.writeStringField("client", event.process());
            content.write(json);
        });
    }

    private void line(String lock, Event event, String name, Content content) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(text)) {
            json.writeStartObject();
            json.writeStringField("trace", lock);
            json.writeStringField("line", name);
            json.writeNumberField("at", at(event.at()));
            content.write(json);
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        lines.getOrDefault(lock, new ArrayList<>()).add(text.toString());
    }

    @Override
    public String toString() {
        return lines.size() + " locks with " + acquisitions + " acquisitions; not in the model: " + unmodelled.size()
                + " locks with " + unmodelledAcquisitions;
    }
}
