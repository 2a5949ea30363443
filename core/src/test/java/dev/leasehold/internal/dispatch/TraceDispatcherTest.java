package dev.leasehold.internal.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.event.AcquiredEvent;
import dev.leasehold.event.LockTrace;
import dev.leasehold.event.LockTracer;
import dev.leasehold.event.ReleasedEvent;
import dev.leasehold.internal.acquire.BundleTrace;
import dev.leasehold.internal.engine.EngineRig;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.lease.LeaseRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A trace receives the events of its acquisition in order on any executor, and its exceptions affect nothing else. */
class TraceDispatcherTest {

    private static final AcquiredEvent ACQUIRED = new AcquiredEvent("a", "me", 1, Duration.ZERO, 1, false, false);
    private static final ReleasedEvent RELEASED = new ReleasedEvent("a", "me", Duration.ZERO, true);

    private final List<Runnable> tasks = new ArrayList<>();
    private final List<String> received = new ArrayList<>();

    private final class RecordingTrace implements LockTrace {
        @Override
        public @Nullable String label() {
            return "4bf92f35";
        }

        @Override
        public void acquired(AcquiredEvent event) {
            received.add("acquired");
            throw new IllegalStateException("as a listener may");
        }

        @Override
        public void released(ReleasedEvent event) {
            received.add("released");
        }
    }

    private @Nullable TraceDispatcher trace(LockTracer... tracers) {
        return new EventDispatcher(List.of(tracers), tasks::add).trace(new LockKey("leasehold:{a}"));
    }

    @Test
    void eventsAreDeliveredInOrderAndAnEndOnce() {
        TraceDispatcher trace = Objects.requireNonNull(trace(name -> new RecordingTrace()));
        trace.acquired(ACQUIRED);
        trace.released(RELEASED);
        trace.released(RELEASED);
        assertThat(received).isEmpty();
        // One task delivers both events, so that two threads cannot reorder them.
        assertThat(tasks).hasSize(1);
        tasks.get(0).run();
        assertThat(received).containsExactly("acquired", "released");
    }

    /** A lease of several locks ends once, with the last of them, in any order of the releases. */
    @Test
    void theLeasesOfSeveralLocksAreFollowedAsOne() {
        EngineRig rig = new EngineRig();
        List<LeaseRecord> records = List.of(record(rig, "b"), record(rig, "c"));
        TraceDispatcher trace = Objects.requireNonNull(trace(name -> new RecordingTrace()));
        BundleTrace.follow(rig.time, trace, records, Duration.ZERO, 1);
        rig.events().released(records.get(1), true);
        runAll();
        assertThat(received).containsExactly("acquired");
        rig.events().released(records.get(0), true);
        runAll();
        assertThat(received).containsExactly("acquired", "released");
        // A client that was closed just then has told already that they are released.
        BundleTrace.follow(
                rig.time, Objects.requireNonNull(trace(name -> new RecordingTrace())), records, Duration.ZERO, 1);
        runAll();
        assertThat(received).containsExactly("acquired", "released", "acquired", "released");
    }

    private static LeaseRecord record(EngineRig rig, String name) {
        return rig.leases().add(LockKey.of(EngineRig.PREFIX, name), null, EngineRig.OPTIONS, null, false);
    }

    private void runAll() {
        while (!tasks.isEmpty()) {
            tasks.remove(0).run();
        }
    }

    @Test
    void withoutATraceThereIsNoDispatcher() {
        assertThat(trace()).isNull();
        assertThat(trace(name -> null)).isNull();
    }

    @Test
    void anExceptionOfATracerCostsOnlyItsTrace() {
        LockTracer broken = name -> {
            throw new IllegalStateException("no tracing today");
        };
        assertThat(trace(broken)).isNull();
        assertThat(Objects.requireNonNull(trace(broken, name -> new RecordingTrace()))
                        .label())
                .isEqualTo("4bf92f35");
        LockTrace withoutLabel = new LockTrace() {
            @Override
            public @Nullable String label() {
                throw new IllegalStateException("no label today");
            }
        };
        assertThat(Objects.requireNonNull(trace(name -> withoutLabel)).label()).isNull();
    }

    /** A trace that began has its end: so none begins while its tracer is far behind. */
    @Test
    void aTracerThatIsFarBehindBeginsNoTrace() {
        LockTracer stuck = name -> new RecordingTrace();
        EventDispatcher dispatcher = new EventDispatcher(List.of(stuck), tasks::add);
        TraceDispatcher first = Objects.requireNonNull(dispatcher.trace(EngineRig.KEY));
        first.acquired(ACQUIRED);
        for (int n = 1; n < ListenerQueue.MOST; n++) {
            dispatcher.publish(listener -> {});
        }
        assertThat(dispatcher.trace(EngineRig.KEY)).isNull();
        first.released(RELEASED);
        runAll();
        assertThat(received).containsExactly("acquired", "released");
        assertThat(dispatcher.trace(EngineRig.KEY)).isNotNull();
    }
}
