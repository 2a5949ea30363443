package dev.leasehold.console.internal.view;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.leasehold.console.internal.observe.HeldLock;
import dev.leasehold.console.internal.observe.LockObservation;
import dev.leasehold.console.internal.observe.Snapshot;
import dev.leasehold.console.internal.observe.Tenure;
import dev.leasehold.inspect.WaiterInfo;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** One lock: its holder, its queue, and its last tenures. */
final class LockScreen {

    /** The most places of a queue that the page gets. */
    private static final int MOST_WAITERS = 200;

    private LockScreen() {}

    static void write(JsonGenerator json, String name, Snapshot snapshot, LockObservation locks) throws IOException {
        LockJson.name(json, name);
        Optional<HeldLock> found = snapshot.locks().stream()
                .filter(lock -> lock.info().name().equals(name))
                .findFirst();
        if (found.isPresent()) {
            json.writeFieldName("lock");
            LockJson.lock(json, found.get(), snapshot.wallMillis());
        } else {
            json.writeNullField("lock");
        }
        List<WaiterInfo> queue = found.map(lock -> lock.info().waiters()).orElse(List.of());
        json.writeNumberField("queueLength", queue.size());
        json.writeArrayFieldStart("queue");
        for (WaiterInfo waiter : queue.subList(0, Math.min(MOST_WAITERS, queue.size()))) {
            LockJson.waiter(json, waiter, snapshot.wallMillis());
        }
        json.writeEndArray();
        json.writeArrayFieldStart("tenures");
        for (Tenure tenure : locks.tenures(name)) {
            tenure(json, tenure, snapshot.wallMillis());
        }
        json.writeEndArray();
    }

    private static void tenure(JsonGenerator json, Tenure tenure, long at) throws IOException {
        json.writeStartObject();
        LockJson.holder(json, tenure.info());
        json.writeNumberField("fromMillis", at - tenure.from());
        json.writeNumberField("untilMillis", at - tenure.until());
        json.writeBooleanField("held", tenure.held());
        json.writeEndObject();
    }
}
