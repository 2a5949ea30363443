package dev.leasehold.console.internal.view;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.leasehold.console.internal.observe.HeldLock;
import dev.leasehold.inspect.LockInfo;
import dev.leasehold.inspect.WaiterInfo;
import java.io.IOException;
import java.time.Instant;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Writes a lock, its holder and its queue. Durations count up to the moment when the locks were read. */
final class LockJson {

    private LockJson() {}

    static void name(JsonGenerator json, String name) throws IOException {
        json.writeStringField("name", name);
        json.writeStringField("shown", Shown.name(name));
    }

    /** Writes one object for a held lock. */
    static void lock(JsonGenerator json, HeldLock lock, long at) throws IOException {
        LockInfo info = lock.info();
        json.writeStartObject();
        name(json, info.name());
        json.writeStringField("kind", kind(info));
        holder(json, info);
        json.writeNumberField("leftMillis", info.left().toMillis());
        json.writeNumberField("leaseMillis", lock.lease());
        json.writeBooleanField("late", lock.late());
        number(json, "heldMillis", millisSince(info.since(), at));
        json.writeNumberField("holds", info.count());
        json.writeBooleanField("handsOff", info.handsOff());
        json.writeBooleanField("retained", info.retained());
        json.writeNumberField("permitsHeld", info.permitsHeld());
        json.writeNumberField("permits", info.permits());
        json.writeNumberField("waiters", info.waiters().size());
        json.writeEndObject();
    }

    private static String kind(LockInfo info) {
        return info.shared() ? "readers" : info.permits() > 0 ? "semaphore" : "lock";
    }

    static void holder(JsonGenerator json, LockInfo info) throws IOException {
        json.writeStringField("owner", Shown.name(info.owner()));
        json.writeBooleanField("ownerNamed", info.ownerNamed());
        process(json, info.host(), info.pid(), info.thread());
        // Where an operator looks: a lock that cannot be read has no label.
        String label = info.label() == null ? info.problem() : info.label();
        json.writeStringField("label", label == null ? null : Shown.name(label));
        // As text: a number of JavaScript is exact only up to 2^53.
        json.writeStringField("token", info.fencingToken() == 0 ? null : Long.toString(info.fencingToken()));
        json.writeStringField("since", Objects.toString(info.since(), null));
    }

    static void process(JsonGenerator json, String host, long pid, String thread) throws IOException {
        json.writeStringField("host", Shown.name(host));
        json.writeNumberField("pid", pid);
        json.writeStringField("thread", Shown.name(thread));
    }

    /** Writes one object for a position in a queue. */
    static void waiter(JsonGenerator json, WaiterInfo waiter, long at) throws IOException {
        String owner = waiter.owner();
        json.writeStartObject();
        json.writeNumberField("position", waiter.position());
        json.writeStringField("wants", waiter.wants().name().toLowerCase(Locale.ROOT));
        json.writeNumberField("permits", waiter.permits());
        json.writeStringField("owner", owner == null ? null : Shown.name(owner));
        process(json, waiter.host(), waiter.pid(), waiter.thread());
        number(json, "waitedMillis", millisSince(waiter.since(), at));
        json.writeBooleanField("alive", waiter.alive());
        json.writeEndObject();
    }

    /** Returns the time from an instant by the clock of Redis to now by the clock of this machine; never negative. */
    static @Nullable Long millisSince(@Nullable Instant since, long at) {
        return since == null ? null : Math.max(0, at - since.toEpochMilli());
    }

    static void number(JsonGenerator json, String field, @Nullable Long value) throws IOException {
        if (value == null) {
            json.writeNullField(field);
        } else {
            json.writeNumberField(field, value);
        }
    }
}
