package dev.leasehold.examples.spring;

import dev.leasehold.DistributedLock;
import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.event.LeaseholdListener;
import dev.leasehold.event.LossEvent;
import dev.leasehold.micrometer.LeaseholdMetrics;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/** How locks get into percentiles, OpenTelemetry and structured logs. */
final class Telemetry {

    private Telemetry() {}

    // example: telemetry-percentiles
    static MeterFilter histogramOfWaits() {
        return new MeterFilter() {
            @Override
            public DistributionStatisticConfig configure(Meter.Id id, DistributionStatisticConfig config) {
                return id.getName().equals("leasehold.wait")
                        ? DistributionStatisticConfig.builder()
                                .percentilesHistogram(true)
                                .build()
                                .merge(config)
                        : config;
            }
        };
    }
    // end

    // example: telemetry-global
    static Leasehold observed(String uri) {
        return Leasehold.builder()
                .uri(uri)
                .listener(LeaseholdMetrics.of(Metrics.globalRegistry))
                .build();
    }
    // end

    // example: telemetry-logs
    static final class LossLog implements LeaseholdListener {
        private static final Logger LOG = LoggerFactory.getLogger("app.locks");

        @Override
        public void lost(LossEvent event) {
            LOG.atWarn()
                    .addKeyValue("lock", event.lockName())
                    .addKeyValue("fencingToken", event.fencingToken())
                    .addKeyValue("cause", event.cause())
                    .log("a lease was lost");
        }
    }
    // end

    // example: telemetry-context
    static void draw(DistributedLock lottery, Runnable draw) throws InterruptedException {
        try (Lease lease = lottery.acquire();
                MDC.MDCCloseable lock = MDC.putCloseable("lock", lease.name());
                MDC.MDCCloseable token = MDC.putCloseable("fencingToken", Long.toString(lease.fencingToken()))) {
            draw.run();
        }
    }
    // end
}
