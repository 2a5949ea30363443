package dev.leasehold.cli.internal;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import dev.leasehold.diagnostics.Finding;
import dev.leasehold.inspect.LockInfo;
import dev.leasehold.inspect.WaiterInfo;
import dev.leasehold.recipes.LatchInfo;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;

/** Writes the output of {@code --json}: one document in ASCII, which no terminal and no encoding can change. */
final class Json {

    private static final JsonFactory FACTORY =
            JsonFactory.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

    private Json() {}

    /** Writes one value. */
    interface Body {
        void write(JsonGenerator json) throws IOException;
    }

    static void print(PrintWriter out, Body body) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = FACTORY.createGenerator(text)) {
            json.useDefaultPrettyPrinter();
            body.write(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        out.println(text);
    }

    static void lock(JsonGenerator json, LockInfo lock) throws IOException {
        json.writeStartObject();
        lockFields(json, lock, LockText.kind(lock));
        json.writeEndObject();
    }

    static void lockFields(JsonGenerator json, LockInfo lock, String kind) throws IOException {
        json.writeStringField("name", lock.name());
        json.writeStringField("kind", kind);
        json.writeStringField("owner", lock.owner());
        json.writeBooleanField("ownerNamed", lock.ownerNamed());
        json.writeStringField("host", lock.host());
        json.writeNumberField("pid", lock.pid());
        json.writeStringField("thread", lock.thread());
        json.writeStringField("since", Objects.toString(lock.since(), null));
        json.writeNumberField("leftMillis", lock.left().toMillis());
        json.writeNumberField("token", lock.fencingToken());
        json.writeNumberField("holds", lock.count());
        json.writeStringField("label", lock.label());
        json.writeBooleanField("handsOff", lock.handsOff());
        json.writeBooleanField("retained", lock.retained());
        json.writeBooleanField("shared", lock.shared());
        json.writeNumberField("permitsHeld", lock.permitsHeld());
        json.writeNumberField("permits", lock.permits());
        json.writeStringField("problem", lock.problem());
        json.writeArrayFieldStart("waiters");
        for (WaiterInfo waiter : lock.waiters()) {
            waiter(json, waiter);
        }
        json.writeEndArray();
    }

    private static void waiter(JsonGenerator json, WaiterInfo waiter) throws IOException {
        json.writeStartObject();
        json.writeNumberField("position", waiter.position());
        json.writeStringField("wants", waiter.wants().name().toLowerCase(Locale.ROOT));
        json.writeNumberField("permits", waiter.permits());
        json.writeStringField("owner", waiter.owner());
        json.writeStringField("host", waiter.host());
        json.writeNumberField("pid", waiter.pid());
        json.writeStringField("thread", waiter.thread());
        json.writeStringField("since", Objects.toString(waiter.since(), null));
        json.writeBooleanField("alive", waiter.alive());
        json.writeEndObject();
    }

    static void latch(JsonGenerator json, LatchInfo latch) throws IOException {
        json.writeStartObject();
        latchFields(json, latch);
        json.writeEndObject();
    }

    static void latchFields(JsonGenerator json, LatchInfo latch) throws IOException {
        json.writeStringField("name", latch.name());
        json.writeStringField("kind", "latch");
        Long round = latch.round();
        if (round != null) {
            json.writeNumberField("round", round);
        }
        json.writeNumberField("count", latch.count());
        Duration left = latch.left();
        if (left == null) {
            json.writeNullField("leftMillis");
        } else {
            json.writeNumberField("leftMillis", left.toMillis());
        }
    }

    static void finding(JsonGenerator json, Finding finding) throws IOException {
        json.writeStartObject();
        json.writeStringField("level", finding.level().name());
        json.writeStringField("subject", finding.subject());
        json.writeStringField("text", finding.text());
        json.writeStringField("remedy", finding.remedy());
        json.writeEndObject();
    }
}
