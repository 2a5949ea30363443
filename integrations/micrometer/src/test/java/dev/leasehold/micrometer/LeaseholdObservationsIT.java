package dev.leasehold.micrometer;

import static io.micrometer.observation.tck.TestObservationRegistryAssert.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LockOptions;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.WithRedis;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.tck.TestObservationRegistry;
import io.micrometer.observation.transport.SenderContext;
import java.time.Duration;
import java.util.Objects;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Observations of a real client on a real server, and the trace id that it stores with the holder. */
@WithRedis
class LeaseholdObservationsIT {

    private static final String TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736";

    private final TestObservationRegistry registry = TestObservationRegistry.create();
    private final EmbeddedRedis redis;
    private final Leasehold leasehold;
    private final Leasehold other;

    LeaseholdObservationsIT(EmbeddedRedis redis) {
        this.redis = redis;
        leasehold = Leasehold.builder()
                .uri(redis.uri())
                .commandTimeout(Duration.ofSeconds(2))
                .listener(LeaseholdObservations.of(registry))
                .build();
        other = Leasehold.connect(redis.uri());
    }

    @AfterEach
    void close() {
        leasehold.close();
        other.close();
    }

    /** Writes into the headers, as the handler of a tracing library does. */
    private static final class Propagating implements ObservationHandler<SenderContext<Object>> {
        @Override
        public void onStart(SenderContext<Object> context) {
            context.getSetter()
                    .set(
                            Objects.requireNonNull(context.getCarrier()),
                            "traceparent",
                            "00-" + TRACE_ID + "-00f067aa0ba902b7-01");
        }

        @Override
        public boolean supportsContext(Observation.Context context) {
            return context instanceof SenderContext<?>;
        }
    }

    private static void eventually(ThrowingRunnable check) {
        await().atMost(Duration.ofSeconds(20)).untilAsserted(check);
    }

    private String labelOf(String lock) {
        return String.valueOf(other.lock(lock).inspect().orElseThrow().label());
    }

    @Test
    void anInspectionShowsWhichTraceHoldsTheLock() throws Exception {
        registry.observationConfig().observationHandler(new Propagating());
        try (Lease held = leasehold.lock("traced").acquire()) {
            assertThat(labelOf("traced")).isEqualTo(TRACE_ID);
            held.ensureHeld();
        }
        LockOptions labelled = LockOptions.builder().label("nightly").build();
        try (Lease held = leasehold.lock("traced").with(labelled).acquire()) {
            assertThat(labelOf("traced")).isEqualTo("nightly");
            held.ensureHeld();
        }
    }

    @Test
    void withoutTracingThereIsNoLabel() throws Exception {
        try (Lease held = leasehold.lock("untraced").acquire()) {
            assertThat(other.lock("untraced").inspect().orElseThrow().label()).isNull();
            held.ensureHeld();
        }
    }

    @Test
    void acquisitionAndHoldingAreChildrenOfTheObservationThatIsCurrentAtTheCall() throws Exception {
        Observation request = Observation.start("request", registry);
        Lease held;
        try (Observation.Scope scope = request.openScope()) {
            held = leasehold.lock("child").acquire();
            assertThat(registry.getCurrentObservation()).isSameAs(scope.getCurrentObservation());
        }
        assertThat(registry.getCurrentObservation()).isNull();
        held.close();
        request.stop();
        eventually(() -> assertThat(registry)
                .hasObservationWithNameEqualTo("leasehold.holding")
                .that()
                .hasBeenStopped());
        assertThat(registry)
                .hasObservationWithNameEqualTo("leasehold.acquisition")
                .that()
                .hasBeenStopped()
                .doesNotHaveError()
                .hasLowCardinalityKeyValue("outcome", "acquired")
                .doesNotHaveHighCardinalityKeyValueWithKey("lock")
                .hasParentObservationEqualTo(request);
        assertThat(registry)
                .hasObservationWithNameEqualTo("leasehold.holding")
                .that()
                .doesNotHaveError()
                .hasLowCardinalityKeyValue("outcome", "released")
                .hasLowCardinalityKeyValue("cause", "none")
                .hasHighCardinalityKeyValueWithKey("token")
                .doesNotHaveHighCardinalityKeyValueWithKey("lock")
                .hasParentObservationEqualTo(request);
    }

    @Test
    void aLossIsAnErrorOfTheHolding() throws Exception {
        Lease held = leasehold.lock("taken").acquire();
        assertThat(other.lock("taken").forceRelease()).isTrue();
        assertThat(held.extend(Duration.ofSeconds(30))).isFalse();
        eventually(() -> assertThat(registry)
                .hasObservationWithNameEqualTo("leasehold.holding")
                .that()
                .hasBeenStopped()
                .hasError()
                .hasLowCardinalityKeyValue("outcome", "lost"));
        assertThat(registry)
                .hasObservationWithNameEqualTo("leasehold.holding")
                .that()
                .doesNotHaveLowCardinalityKeyValue("cause", "none");
    }

    @Test
    void anAcquisitionWithoutALeaseIsObservedToo() throws Exception {
        try (Lease theirs = other.lock("busy").acquire()) {
            assertThat(leasehold.lock("busy").tryAcquire()).isEmpty();
            theirs.ensureHeld();
        }
        eventually(() -> assertThat(registry)
                .hasObservationWithNameEqualTo("leasehold.acquisition")
                .that()
                .hasBeenStopped()
                .hasLowCardinalityKeyValue("outcome", "busy"));
        registry.clear();
        redis.kill();
        try {
            assertThatThrownBy(() -> leasehold.lock("away").tryAcquire()).isInstanceOf(LockUnavailableException.class);
            eventually(() -> assertThat(registry)
                    .hasObservationWithNameEqualTo("leasehold.acquisition")
                    .that()
                    .hasBeenStopped()
                    .hasLowCardinalityKeyValue("outcome", "failed")
                    .thenError()
                    .isInstanceOf(LockUnavailableException.class)
                    .hasMessageNotContaining("away")
                    .hasNoCause());
        } finally {
            redis.restartEmpty();
        }
        assertThat(registry).doesNotHaveAnyRemainingCurrentObservation();
    }

    @Test
    void theNameOfTheLockIsAKeyOfHighCardinalityOnRequest() throws Exception {
        try (Leasehold naming = Leasehold.builder()
                .uri(redis.uri())
                .listener(LeaseholdObservations.withLockNames(registry))
                .build()) {
            naming.lock("named").acquire().close();
        }
        assertThat(registry)
                .hasObservationWithNameEqualTo("leasehold.acquisition")
                .that()
                .hasHighCardinalityKeyValue("lock", "named")
                .doesNotHaveLowCardinalityKeyValueWithKey("lock");
    }

    /** The hold continues in Redis, but no lease of this client has it. */
    @Test
    void anExportedLeaseThatIsClosedIsNoLongerHeldHere() throws Exception {
        MeterRegistry meters = new SimpleMeterRegistry();
        try (Leasehold counting = Leasehold.builder()
                .uri(redis.uri())
                .listener(LeaseholdMetrics.of(meters))
                .listener(LeaseholdObservations.of(registry))
                .build()) {
            Lease exported = counting.lock("exported").acquire();
            eventually(() ->
                    assertThat(meters.get("leasehold.held").gauge().value()).isEqualTo(1));
            assertThat(exported.export()).isNotEmpty();
            exported.close();
            eventually(() ->
                    assertThat(meters.get("leasehold.held").gauge().value()).isZero());
            eventually(() -> assertThat(registry)
                    .hasObservationWithNameEqualTo("leasehold.holding")
                    .that()
                    .hasBeenStopped()
                    .hasLowCardinalityKeyValue("outcome", "exported"));
            assertThat(other.lock("exported").inspect()).isPresent();
        }
    }
}
