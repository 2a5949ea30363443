package dev.leasehold.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Lease;
import dev.leasehold.LockOptions;
import dev.leasehold.Renewal;
import dev.leasehold.diagnostics.Deadlock;
import dev.leasehold.diagnostics.Diagnostics;
import dev.leasehold.diagnostics.Finding;
import dev.leasehold.diagnostics.LockParty;
import dev.leasehold.diagnostics.LockWait;
import dev.leasehold.event.AcquiredEvent;
import dev.leasehold.event.DeadlockEvent;
import dev.leasehold.event.LeaseholdListener;
import dev.leasehold.event.LossCause;
import dev.leasehold.event.ReleasedEvent;
import dev.leasehold.event.RetainedEvent;
import dev.leasehold.event.RetentionEndedEvent;
import dev.leasehold.event.RetentionOutcome;
import dev.leasehold.inspect.Inspector;
import dev.leasehold.inspect.WaiterInfo;
import dev.leasehold.testkit.InMemoryLeasehold;
import dev.leasehold.testkit.ManualClock;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Names and tags of the meters, and their number. */
class LeaseholdMetricsTest {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    private static AcquiredEvent acquired(String lock) {
        return new AcquiredEvent(lock, "me", 1, Duration.ZERO, 1, false, false);
    }

    private static ReleasedEvent released(String lock) {
        return new ReleasedEvent(lock, "me", Duration.ofSeconds(1), true);
    }

    private Set<String> tagKeys() {
        return registry.getMeters().stream()
                .flatMap(meter -> meter.getId().getTags().stream())
                .map(tag -> tag.getKey())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void allMetersExistBeforeTheFirstEvent() {
        try (InMemoryLeasehold client = InMemoryLeasehold.create(ManualClock.create())) {
            LeaseholdMetrics.of(registry).started(client.inspector(), Diagnostics.of(client));
        }
        assertThat(registry.getMeters().stream().map(meter -> meter.getId().getName()))
                .contains(
                        "leasehold.wait",
                        "leasehold.hold",
                        "leasehold.renewal.lag",
                        "leasehold.held",
                        "leasehold.waiting",
                        "leasehold.acquired",
                        "leasehold.busy",
                        "leasehold.failed",
                        "leasehold.renewal.failed",
                        "leasehold.lost",
                        "leasehold.handoffs",
                        "leasehold.retained",
                        "leasehold.reused",
                        "leasehold.deadlocks",
                        "leasehold.validity.least",
                        "leasehold.dangers",
                        "leasehold.connections",
                        "leasehold.connections.opened",
                        "leasehold.connections.failed");
        assertThat(registry.find("leasehold.lost").counters()).hasSize(LossCause.values().length);
        assertThat(registry.getMeters())
                .allSatisfy(meter -> assertThat(meter.getId().getDescription()).isNotBlank());
    }

    @Test
    void theLeastValidityIsThatOfTheRenewedLeaseWithTheLeastLeft() throws InterruptedException {
        ManualClock clock = ManualClock.create();
        try (InMemoryLeasehold client = InMemoryLeasehold.create(clock)) {
            LeaseholdMetrics.of(registry).started(client.inspector(), Diagnostics.of(client));
            Lease ending = client.lock("ending")
                    .with(LockOptions.builder()
                            .leaseTime(Duration.ofSeconds(9))
                            .renewal(Renewal.none())
                            .build())
                    .acquire();
            assertThat(leastValidity()).isNaN();
            Lease renewed = client.lock("renewed").acquire();
            clock.advance(Duration.ofSeconds(5));
            client.lock("later").acquire();
            assertThat(leastValidity()).isBetween(24.0, 25.0);
            renewed.release();
            assertThat(leastValidity()).isBetween(29.0, 30.0);
            ending.release();
        }
    }

    /** A check also finds what is as it should be. */
    @Test
    void onlyDangersCountAsDangers() {
        List<Finding> found = Stream.of(Finding.Level.values())
                .map(level -> new Finding(level, "a check", "what it found", ""))
                .toList();
        Diagnostics diagnostics = proxy(Diagnostics.class, called -> found);
        Inspector inspector = proxy(Inspector.class, called -> List.of());
        LeaseholdMetrics.of(registry).started(inspector, diagnostics);
        assertThat(registry.get("leasehold.dangers").gauge().value()).isEqualTo(1);
    }

    private static <T> T proxy(Class<T> type, Function<String, Object> answers) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> answers.apply(method.getName())));
    }

    private double leastValidity() {
        return registry.get("leasehold.validity.least").timeGauge().value(TimeUnit.SECONDS);
    }

    /** Hazard 47: every name would be a time series of its own. */
    @Test
    void noLockNameIsATagByDefault() {
        LeaseholdMetrics metrics = LeaseholdMetrics.of(registry);
        int before = registry.getMeters().size();
        Stream.of("a", "b", "c").forEach(lock -> metrics.acquired(acquired(lock)));
        assertThat(registry.getMeters()).hasSize(before);
        assertThat(tagKeys()).containsExactly("cause", "outcome", "reason");
        assertThat(registry.get("leasehold.held").gauge().value()).isEqualTo(3);
    }

    @Test
    void lockNamesAreATagOnRequest() {
        LeaseholdMetrics metrics = LeaseholdMetrics.byLock(registry, Tags.of("client", "orders"));
        metrics.acquired(acquired("a"));
        metrics.acquired(acquired("b"));
        metrics.released(released("b"));
        assertThat(registry.get("leasehold.held")
                        .tags("lock", "a", "client", "orders")
                        .gauge()
                        .value())
                .isEqualTo(1);
        assertThat(registry.get("leasehold.held").tag("lock", "b").gauge().value())
                .isZero();
    }

    @Test
    void afterAThousandNamesTheOthersShareTheirMeters() {
        LeaseholdMetrics metrics = LeaseholdMetrics.byLock(registry, Tags.empty());
        metrics.acquired(acquired("held before"));
        for (int n = 1; n < 1_000; n++) {
            metrics.acquired(acquired("lock-" + n));
        }
        int meters = registry.getMeters().size();
        for (int n = 1_000; n < 5_000; n++) {
            metrics.acquired(acquired("lock-" + n));
            if (n < 4_997) {
                metrics.released(released("lock-" + n));
            }
        }
        metrics.released(released("held before"));
        assertThat(registry.getMeters()).hasSize(meters / 1_000 * 1_001);
        assertThat(held("(other)")).isEqualTo(3);
        assertThat(held("lock-999")).isEqualTo(1);
        assertThat(held("held before")).isZero();
    }

    private double held(String lock) {
        return registry.get("leasehold.held").tag("lock", lock).gauge().value();
    }

    private static DeadlockEvent deadlock(String... locks) {
        LockParty someone = new LockParty("host", 1, "main", 1, null);
        List<LockWait> cycle = Stream.of(locks)
                .map(lock -> new LockWait(lock, WaiterInfo.Wants.LOCK, someone, null, List.of(someone)))
                .toList();
        return new DeadlockEvent(new Deadlock(cycle, true, Map.of()));
    }

    @Test
    void aDeadlockCountsOnceOrOnceForEachOfItsLocks() {
        LeaseholdMetrics.of(registry, Tags.of("client", "one")).deadlock(deadlock("a", "b"));
        assertThat(deadlocks("client", "one")).isEqualTo(1);
        LeaseholdMetrics.byLock(registry, Tags.of("client", "two")).deadlock(deadlock("a", "b"));
        assertThat(deadlocks("lock", "a")).isEqualTo(1);
        assertThat(deadlocks("lock", "b")).isEqualTo(1);
    }

    private double deadlocks(String tag, String value) {
        return registry.get("leasehold.deadlocks").tag(tag, value).counter().count();
    }

    @Test
    void aNameInATagCannotForgeALine() {
        LeaseholdMetrics.byLock(registry, Tags.empty()).acquired(acquired("a\nb\u202ec" + "x".repeat(500)));
        assertThat(registry.getMeters())
                .extracting(Meter::getId)
                .allSatisfy(
                        id -> assertThat(id.getTag("lock")).startsWith("a?b?cx").hasSize(100));
    }

    @Test
    void tagsDistinguishTwoClientsOfOneRegistry() {
        LeaseholdMetrics.of(registry, Tags.of("client", "one")).acquired(acquired("a"));
        LeaseholdMetrics.of(registry, Tags.of("client", "two"));
        assertThat(registry.get("leasehold.held").tag("client", "one").gauge().value())
                .isEqualTo(1);
        assertThat(registry.get("leasehold.held").tag("client", "two").gauge().value())
                .isZero();
    }

    /** A loss may be reported before its start. */
    @Test
    void anEndThatIsDeliveredFirstIsBalancedByTheStart() {
        LeaseholdMetrics metrics = LeaseholdMetrics.of(registry);
        metrics.released(released("a"));
        assertThat(registry.get("leasehold.held").gauge().value()).isZero();
        metrics.acquired(acquired("a"));
        assertThat(registry.get("leasehold.held").gauge().value()).isZero();
    }

    @Test
    void aRetainedHoldCountsUntilItIsUsedAgainReleasedOrLost() {
        LeaseholdMetrics metrics = LeaseholdMetrics.of(registry);
        for (RetentionOutcome outcome : RetentionOutcome.values()) {
            metrics.retained(new RetainedEvent("a"));
            assertThat(registry.get("leasehold.retained").gauge().value()).isEqualTo(1);
            metrics.retentionEnded(new RetentionEndedEvent("a", outcome));
            assertThat(registry.get("leasehold.retained").gauge().value()).isZero();
        }
        assertThat(registry.get("leasehold.reused").counter().count()).isEqualTo(1);
    }

    /** Every new event must be counted or left out deliberately. */
    @Test
    void everyEventIsHandled() {
        Set<String> handled = Stream.of(LeaseholdMetrics.class.getDeclaredMethods())
                .filter(method -> !method.isSynthetic())
                .map(Method::getName)
                .collect(Collectors.toSet());
        Set<String> events = Stream.of(LeaseholdListener.class.getMethods())
                .map(Method::getName)
                .collect(Collectors.toSet());
        events.removeAll(handled);
        assertThat(events).containsExactlyInAnyOrder("heldLong", "releaseRequested");
    }
}
