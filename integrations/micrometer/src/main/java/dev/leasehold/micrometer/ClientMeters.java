package dev.leasehold.micrometer;

import dev.leasehold.diagnostics.Diagnostics;
import dev.leasehold.diagnostics.Finding;
import dev.leasehold.inspect.ConnectionInfo;
import dev.leasehold.inspect.Inspector;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;

/** The meters of a client that are read from it when they are asked for. They do not keep it from being collected. */
final class ClientMeters {

    private ClientMeters() {}

    static void register(MeterRegistry registry, Tags tags, Inspector inspector, Diagnostics diagnostics) {
        TimeGauge unused = TimeGauge.builder(
                        "leasehold.validity.least", inspector, TimeUnit.NANOSECONDS, ClientMeters::leastValidity)
                .description("Time for which the renewed lease is valid that has the least left")
                .tags(tags)
                .register(registry);
        Gauge unusedToo = Gauge.builder("leasehold.dangers", diagnostics, ClientMeters::dangers)
                .description("Dangers found in the last 10 minutes")
                .tags(tags)
                .register(registry);
        for (ConnectionInfo each : inspector.connections()) {
            String purpose = each.purpose();
            Tags tagged = tags.and("purpose", purpose);
            Gauge unusedThree = Gauge.builder(
                            "leasehold.connections", inspector, of -> of(of, purpose, ConnectionInfo::open))
                    .description("Connections open now")
                    .tags(tagged)
                    .register(registry);
            FunctionCounter unusedFour = FunctionCounter.builder(
                            "leasehold.connections.opened", inspector, of -> of(of, purpose, ConnectionInfo::opened))
                    .description("Connections opened")
                    .tags(tagged)
                    .register(registry);
            FunctionCounter unusedFive = FunctionCounter.builder(
                            "leasehold.connections.failed", inspector, of -> of(of, purpose, ConnectionInfo::failed))
                    .description("Connections that were not opened")
                    .tags(tagged)
                    .register(registry);
        }
    }

    private static long of(Inspector inspector, String purpose, ToLongFunction<ConnectionInfo> which) {
        return inspector.connections().stream()
                .filter(each -> each.purpose().equals(purpose))
                .mapToLong(which)
                .sum();
    }

    private static double dangers(Diagnostics diagnostics) {
        return diagnostics.lastFindings().stream()
                .filter(finding -> finding.level() == Finding.Level.DANGER)
                .count();
    }

    /** NaN, which monitoring systems leave out, if no lease is renewed. */
    private static double leastValidity(Inspector inspector) {
        return inspector
                .leastValidity()
                .map(Duration::toNanos)
                .map(Double::valueOf)
                .orElse(Double.NaN);
    }
}
