package dev.leasehold.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import brave.Tracing;
import brave.handler.MutableSpan;
import brave.handler.SpanHandler;
import brave.propagation.B3Propagation;
import brave.propagation.CurrentTraceContext;
import brave.propagation.Propagation;
import brave.propagation.ThreadLocalCurrentTraceContext;
import brave.propagation.TraceContext;
import dev.leasehold.DistributedReadWriteLock;
import dev.leasehold.Lease;
import dev.leasehold.LeaseNotResumableException;
import dev.leasehold.Leasehold;
import dev.leasehold.LeaseholdBuilder;
import dev.leasehold.MultiLease;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.WithRedis;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler.FirstMatchingCompositeObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.brave.bridge.BraveBaggageManager;
import io.micrometer.tracing.brave.bridge.BraveCurrentTraceContext;
import io.micrometer.tracing.brave.bridge.BravePropagator;
import io.micrometer.tracing.brave.bridge.BraveTracer;
import io.micrometer.tracing.brave.bridge.W3CPropagation;
import io.micrometer.tracing.handler.DefaultTracingObservationHandler;
import io.micrometer.tracing.handler.PropagatingSenderTracingObservationHandler;
import io.micrometer.tracing.handler.TracingAwareMeterObservationHandler;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.tracer.common.SpanContext;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The spans that a tracing library creates from a client's observations, and the trace id stored with the holder. */
@WithRedis
class TracesIT {

    private static final Duration LONG = Duration.ofSeconds(20);
    private static final String OPEN_METRICS = "application/openmetrics-text; version=1.0.0; charset=utf-8";

    private final Traced traced = new Traced(new W3CPropagation());
    private final EmbeddedRedis redis;
    private final Leasehold leasehold;
    private final Leasehold other;

    TracesIT(EmbeddedRedis redis) {
        this.redis = redis;
        leasehold = client(traced);
        other = Leasehold.connect(redis.uri());
    }

    private Leasehold client(Traced by) {
        LeaseholdBuilder builder = Leasehold.builder().uri(redis.uri()).listener(LeaseholdObservations.of(by.registry));
        return builder.build();
    }

    @AfterEach
    void close() {
        leasehold.close();
        other.close();
        traced.tracing.close();
    }

    /** A process with tracing by Brave, set up as Spring Boot does. */
    private static final class Traced {
        final Queue<MutableSpan> ended = new ConcurrentLinkedQueue<>();
        final ObservationRegistry registry = ObservationRegistry.create();
        final Tracing tracing;
        final Tracer tracer;

        Traced(Propagation.Factory format) {
            CurrentTraceContext current = ThreadLocalCurrentTraceContext.create();
            tracing = Tracing.newBuilder()
                    .currentTraceContext(current)
                    .traceId128Bit(true)
                    .supportsJoin(false)
                    .propagationFactory(format)
                    .addSpanHandler(new SpanHandler() {
                        @Override
                        public boolean end(@Nullable TraceContext context, MutableSpan span, Cause cause) {
                            return ended.add(span);
                        }
                    })
                    .build();
            tracer =
                    new BraveTracer(tracing.tracer(), new BraveCurrentTraceContext(current), new BraveBaggageManager());
            registry.observationConfig()
                    .observationHandler(new FirstMatchingCompositeObservationHandler(
                            new PropagatingSenderTracingObservationHandler<>(tracer, new BravePropagator(tracing)),
                            new DefaultTracingObservationHandler(tracer)));
        }

        /** Runs the work in a span of its own, and returns the ids of that span. */
        Caller within(Callable<?> work) throws Exception {
            Observation request = Observation.start("request", registry);
            try (Observation.Scope scope = request.openScope()) {
                Span span = Objects.requireNonNull(tracer.currentSpan());
                Caller caller =
                        new Caller(span.context().traceId(), span.context().spanId());
                Object unused = work.call();
                assertThat(scope.getCurrentObservation()).isSameAs(request);
                return caller;
            } finally {
                request.stop();
            }
        }

        List<MutableSpan> named(String name) {
            return ended.stream().filter(span -> name.equals(span.name())).toList();
        }

        /** Waits for the only span of a name to end, and returns it. */
        MutableSpan only(String name) {
            await().atMost(LONG).until(() -> !named(name).isEmpty());
            assertThat(named(name)).hasSize(1);
            return named(name).get(0);
        }
    }

    private record Caller(String traceId, String spanId) {
        void isParentOf(MutableSpan span) {
            assertThat(span.traceId()).isEqualTo(traceId);
            assertThat(span.parentId()).isEqualTo(spanId);
        }
    }

    /** The handler of meters is that of Spring Boot; every span is sampled. */
    @Test
    void theTimersOfObservationsHaveTheTraceAsExemplar() throws Exception {
        PrometheusMeterRegistry meters = new PrometheusMeterRegistry(
                PrometheusConfig.DEFAULT, new PrometheusRegistry(), Clock.SYSTEM, new CurrentSpan(traced.tracer));
        traced.registry
                .observationConfig()
                .observationHandler(new TracingAwareMeterObservationHandler<>(
                        new DefaultMeterObservationHandler(meters), traced.tracer));
        Caller caller = traced.within(() -> leasehold.lock("traced").acquire().releaseAsync());
        for (String timer : List.of("leasehold_acquisition_seconds", "leasehold_holding_seconds")) {
            await().atMost(LONG)
                    .untilAsserted(() -> assertThat(meters.scrape(OPEN_METRICS)
                                    .lines()
                                    .filter(line -> line.startsWith(timer + "_count")))
                            .singleElement()
                            .asString()
                            .contains("trace_id=\"" + caller.traceId + "\""));
        }
    }

    /** Tells Prometheus which span is current. */
    private record CurrentSpan(Tracer tracer) implements SpanContext {

        @Override
        public @Nullable String getCurrentTraceId() {
            Span span = tracer.currentSpan();
            return span == null ? null : span.context().traceId();
        }

        @Override
        public @Nullable String getCurrentSpanId() {
            Span span = tracer.currentSpan();
            return span == null ? null : span.context().spanId();
        }

        @Override
        public boolean isCurrentSpanSampled() {
            return tracer.currentSpan() != null;
        }

        @Override
        public void markCurrentSpanAsExemplar() {}
    }

    private @Nullable String labelOf(String lock) {
        return other.lock(lock).inspect().orElseThrow().label();
    }

    @Test
    void waitingAndHoldingAreChildrenOfTheCallersSpanWhoseTraceIdIsStoredWithTheHolder() throws Exception {
        Lease theirs = other.lock("traced").acquire();
        CompletableFuture<Lease> granted = new CompletableFuture<>();
        Caller caller = traced.within(() ->
                leasehold.lock("traced").acquireAsync(LONG).whenComplete((lease, failure) -> granted.complete(lease)));
        assertThat(labelOf("traced")).isNull();
        theirs.release();
        Lease held = granted.get();
        assertThat(labelOf("traced")).isEqualTo(caller.traceId());
        held.release();
        MutableSpan waiting = traced.only("acquire lock");
        MutableSpan holding = traced.only("hold lock");
        caller.isParentOf(waiting);
        caller.isParentOf(holding);
        assertThat(waiting.tag("outcome")).isEqualTo("acquired");
        assertThat(holding.tag("outcome")).isEqualTo("released");
        assertThat(holding.tag("token")).isEqualTo(Long.toString(held.fencingToken()));
        assertThat(waiting.finishTimestamp()).isGreaterThan(waiting.startTimestamp());
        assertThat(holding.startTimestamp()).isGreaterThanOrEqualTo(waiting.startTimestamp());
    }

    @Test
    void withoutACallersSpanTheHoldingIsAChildOfTheAcquisition() throws Exception {
        leasehold.lock("alone").acquire().release();
        MutableSpan holding = traced.only("hold lock");
        MutableSpan acquisition = traced.only("acquire lock");
        assertThat(acquisition.parentId()).isNull();
        assertThat(holding.parentId()).isEqualTo(acquisition.id());
        assertThat(holding.traceId()).isEqualTo(acquisition.traceId());
    }

    @Test
    void aFormatOtherThanThatOfW3cGivesNoLabel() throws Exception {
        Traced old = new Traced(B3Propagation.FACTORY);
        try (Leasehold client = client(old);
                Lease held = client.lock("b3").acquire()) {
            assertThat(labelOf("b3")).isNull();
            held.ensureHeld();
        }
        assertThat(old.only("acquire lock").tag("outcome")).isEqualTo("acquired");
        old.tracing.close();
    }

    /** To their holder, the locks are one lease. */
    @Test
    void severalLocksOfOneCallAreOneAcquisitionAndOneHolding() throws Exception {
        Lease theirs = other.lock("b").acquire();
        CompletableFuture<MultiLease> granted = new CompletableFuture<>();
        Caller caller = traced.within(() -> leasehold
                .allOf("c", "b", "a")
                .acquireAsync(LONG)
                .whenComplete((lease, failure) -> granted.complete(lease)));
        theirs.release();
        MultiLease held = granted.get();
        for (String name : held.names()) {
            assertThat(labelOf(name)).as(name).isEqualTo(caller.traceId());
        }
        assertThat(traced.named("hold locks")).isEmpty();
        held.release();
        for (String name : List.of("acquire locks", "hold locks")) {
            MutableSpan span = traced.only(name);
            caller.isParentOf(span);
            assertThat(span.tag("locks")).isEqualTo("3");
            assertThat(span.tag("token")).isNull();
        }
        assertThat(traced.only("hold locks").tag("outcome")).isEqualTo("released");
        assertThat(traced.named("acquire lock")).isEmpty();
        assertThat(traced.named("hold lock")).isEmpty();
    }

    @Test
    void severalLocksAreLostWithTheFirstOfThem() throws Exception {
        MultiLease held = leasehold.allOf("x", "y").acquire();
        assertThat(other.lock("y").forceRelease()).isTrue();
        assertThat(held.extend(Duration.ofSeconds(30))).isFalse();
        MutableSpan holding = traced.only("hold locks");
        assertThat(holding.tag("outcome")).isEqualTo("lost");
        assertThat(holding.error()).isNotNull();
        assertThatThrownBy(held::release).hasMessageContaining("y");
        assertThat(traced.named("hold locks")).hasSize(1);
    }

    @Test
    void severalLocksOfWhichOneIsBusyAreOneAcquisition() throws Exception {
        try (Lease theirs = other.lock("n").acquire()) {
            assertThat(leasehold.allOf("m", "n").tryAcquire()).isEmpty();
            assertThat(leasehold.allOf("m", "n").tryAcquire(Duration.ofMillis(50)))
                    .isEmpty();
            theirs.ensureHeld();
        }
        await().atMost(LONG).until(() -> traced.named("acquire locks").size() == 2);
        assertThat(traced.named("acquire locks"))
                .allSatisfy(span -> assertThat(span.tag("outcome")).isEqualTo("busy"));
        assertThat(traced.named("hold locks")).isEmpty();
    }

    /** The client releases each of the locks separately. */
    @Test
    void aClosedClientEndsTheHoldingOfSeveralLocks() throws Exception {
        Leasehold closing = client(traced);
        MultiLease held = closing.allOf("p", "q").acquire();
        closing.close();
        assertThat(held.isHeld()).isFalse();
        assertThat(traced.only("hold locks").tag("outcome")).isEqualTo("released");
    }

    /** The trace of a message, for example, by which another process continues the work. */
    @Test
    void aResumedLeaseBelongsToTheTraceInWhichItIsResumed() throws Exception {
        Traced elsewhere = new Traced(new W3CPropagation());
        try (Leasehold another = client(elsewhere)) {
            CompletableFuture<Lease> first = new CompletableFuture<>();
            Caller exporter =
                    traced.within(() -> first.complete(leasehold.lock("moved").acquire()));
            String exported = first.get().export();
            CompletableFuture<Lease> second = new CompletableFuture<>();
            Caller resumer = elsewhere.within(() -> second.complete(another.resume(exported)));
            assertThat(resumer.traceId()).isNotEqualTo(exporter.traceId());
            assertThat(labelOf("moved")).isEqualTo(resumer.traceId());
            first.get().close();
            second.get().close();
            exporter.isParentOf(traced.only("hold lock"));
            assertThat(traced.only("hold lock").tag("outcome")).isEqualTo("exported");
            resumer.isParentOf(elsewhere.only("acquire lock"));
            resumer.isParentOf(elsewhere.only("hold lock"));
            assertThat(elsewhere.only("hold lock").tag("outcome")).isEqualTo("released");

            elsewhere.ended.clear();
            assertThatThrownBy(() -> another.resume(exported)).isInstanceOf(LeaseNotResumableException.class);
            assertThat(elsewhere.only("acquire lock").tag("outcome")).isEqualTo("failed");
            assertThat(elsewhere.only("acquire lock").error()).isInstanceOf(LeaseNotResumableException.class);
        } finally {
            elsewhere.tracing.close();
        }
    }

    /** Otherwise a trace would show no holder of the lock while the reader holds it. */
    @Test
    void aDowngradeEndsTheHoldingOfTheWriterAndBeginsThatOfTheReader() throws Exception {
        DistributedReadWriteLock lock = leasehold.readWriteLock("downgraded");
        CompletableFuture<Lease> reading = new CompletableFuture<>();
        Caller caller = traced.within(
                () -> reading.complete(lock.downgrade(lock.writeLock().acquire())));
        MutableSpan writing = traced.only("hold lock");
        assertThat(writing.tag("outcome")).isEqualTo("released");
        assertThat(reading.get().isHeld()).isTrue();
        assertThat(labelOf("downgraded")).isEqualTo(caller.traceId());
        reading.get().release();
        await().atMost(LONG).until(() -> traced.named("hold lock").size() == 2);
        assertThat(traced.named("acquire lock")).hasSize(2).allSatisfy(caller::isParentOf);
        assertThat(traced.named("hold lock")).allSatisfy(caller::isParentOf);
        assertThat(traced.named("hold lock").get(1).tag("token"))
                .isEqualTo(Long.toString(reading.get().fencingToken()));
    }

    @Test
    void aDowngradeOfALostWriterIsAFailure() throws Exception {
        DistributedReadWriteLock lock = leasehold.readWriteLock("too late");
        Lease writer = lock.writeLock().acquire();
        assertThat(other.readWriteLock("too late").writeLock().forceRelease()).isTrue();
        assertThatThrownBy(() -> lock.downgrade(writer)).hasMessageContaining("too late");
        await().atMost(LONG).until(() -> traced.named("acquire lock").size() == 2);
        assertThat(traced.named("acquire lock").get(1).tag("outcome")).isEqualTo("failed");
        assertThat(traced.only("hold lock").tag("outcome")).isEqualTo("lost");
    }
}
