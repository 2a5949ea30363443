package dev.leasehold.internal.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.event.AcquiredEvent;
import dev.leasehold.event.LockTrace;
import dev.leasehold.event.LockTracer;
import dev.leasehold.event.ReleasedEvent;
import dev.leasehold.internal.engine.EngineRig;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.lease.BundleTrace;
import dev.leasehold.internal.lease.LeaseRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What follows one acquisition hears of it in order, whatever the executor does, and what it throws costs nothing. */
class TraceDispatcherTest {

    private static final AcquiredEvent ACQUIRED = new AcquiredEvent("a", "me", 1, Duration.ZERO, 1, false);
    private static final ReleasedEvent RELEASED = new ReleasedEvent("a", "me", Duration.ZERO, true);

    private final List<Runnable> tasks = new ArrayList<>();
    private final List<String> heard = new ArrayList<>();

    private final class Heard implements LockTrace {
        @Override
        public @Nullable String label() {
            return "4bf92f35";
        }

        @Override
        public void acquired(AcquiredEvent event) {
            heard.add("acquired");
            throw new IllegalStateException("as a listener may");
        }

        @Override
        public void released(ReleasedEvent event) {
            heard.add("released");
        }
    }

    private @Nullable TraceDispatcher trail(LockTracer... tracers) {
        return new EventDispatcher(List.of(tracers), tasks::add).trace("a");
    }

    @Test
    void eventsAreToldOneAfterAnotherAndAnEndOnce() {
        TraceDispatcher trail = Objects.requireNonNull(trail(name -> new Heard()));
        trail.acquired(ACQUIRED);
        trail.released(RELEASED);
        trail.released(RELEASED);
        assertThat(heard).isEmpty();
        // The executor has one task for both, so that no two threads have them.
        assertThat(tasks).hasSize(1);
        tasks.get(0).run();
        assertThat(heard).containsExactly("acquired", "released");
    }

    /** A lease of several locks ends with the last of them, and once, whoever told first. */
    @Test
    void theLeasesOfSeveralLocksAreFollowedAsOne() {
        EngineRig rig = new EngineRig();
        List<LeaseRecord> records = List.of(record(rig, "b"), record(rig, "c"));
        TraceDispatcher trail = Objects.requireNonNull(trail(name -> new Heard()));
        BundleTrace.follow(rig.time, trail, records, Duration.ZERO, 1);
        rig.engine.events.released(records.get(1), true);
        runAll();
        assertThat(heard).containsExactly("acquired");
        rig.engine.events.released(records.get(0), true);
        runAll();
        assertThat(heard).containsExactly("acquired", "released");
        // A client that was closed just then has told already that they are released.
        BundleTrace.follow(rig.time, Objects.requireNonNull(trail(name -> new Heard())), records, Duration.ZERO, 1);
        runAll();
        assertThat(heard).containsExactly("acquired", "released", "acquired", "released");
    }

    private static LeaseRecord record(EngineRig rig, String name) {
        return rig.engine.leases.add(LockKey.of(EngineRig.PREFIX, name), null, EngineRig.OPTIONS, null, false);
    }

    private void runAll() {
        List.copyOf(tasks).forEach(Runnable::run);
        tasks.clear();
    }

    @Test
    void withoutOneThatFollowsThereIsNothing() {
        assertThat(trail()).isNull();
        assertThat(trail(name -> null)).isNull();
    }

    @Test
    void whatATracerThrowsCostsOnlyItsTrace() {
        LockTracer broken = name -> {
            throw new IllegalStateException("no tracing today");
        };
        assertThat(trail(broken)).isNull();
        assertThat(Objects.requireNonNull(trail(broken, name -> new Heard())).label())
                .isEqualTo("4bf92f35");
        LockTrace withoutLabel = new LockTrace() {
            @Override
            public @Nullable String label() {
                throw new IllegalStateException("no label today");
            }
        };
        assertThat(Objects.requireNonNull(trail(name -> withoutLabel)).label()).isNull();
    }
}
