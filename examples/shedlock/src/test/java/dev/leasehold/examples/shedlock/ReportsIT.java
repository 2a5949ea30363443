package dev.leasehold.examples.shedlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.WithRedis;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.env.MapPropertySource;

/** Two instances of the application, and their failure paths. */
@WithRedis
class ReportsIT {

    private static final String NEVER = "-";
    private static final String EACH_SECOND = "* * * * * *";

    private final EmbeddedRedis redis;
    private final SharedArchive archive = new SharedArchive();
    private final AnnotationConfigApplicationContext[] instances = new AnnotationConfigApplicationContext[2];

    ReportsIT(EmbeddedRedis redis) {
        this.redis = redis;
    }

    /** An archive outside of the instances. */
    private static final class SharedArchive implements Archive {
        final List<String> pages = new CopyOnWriteArrayList<>();
        final List<Long> tokens = new CopyOnWriteArrayList<>();
        final List<String> notes = new CopyOnWriteArrayList<>();
        volatile Consumer<String> beforeEach = page -> {};
        private final AtomicLong highest = new AtomicLong();

        @Override
        public void append(String page, long token) {
            beforeEach.accept(page);
            if (highest.accumulateAndGet(token, Math::max) > token) {
                throw new IllegalStateException("token " + token + " is stale");
            }
            pages.add(page);
            tokens.add(token);
        }

        @Override
        public void note(String text) {
            notes.add(text);
        }
    }

    private AnnotationConfigApplicationContext start(String cron) {
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        context.getEnvironment()
                .getPropertySources()
                .addFirst(new MapPropertySource("test", Map.of("redis.uri", redis.uri(), "report.cron", cron)));
        context.registerBean(Archive.class, () -> archive);
        context.register(ReportsApplication.class);
        context.refresh();
        return context;
    }

    private void startBoth(String cron) {
        instances[0] = start(cron);
        instances[1] = start(cron);
    }

    private NightlyReport report(int instance) {
        return instances[instance].getBean(NightlyReport.class);
    }

    private Leasehold leasehold(int instance) {
        return instances[instance].getBean(Leasehold.class);
    }

    @AfterEach
    void stop() {
        for (AnnotationConfigApplicationContext instance : instances) {
            if (instance != null) {
                instance.close();
            }
        }
    }

    @Tag("long")
    @Test
    void schedulersOfBothInstancesWriteEachReportOnceAndWhole() {
        startBoth(EACH_SECOND);
        await().until(() -> archive.pages.size() >= 6 && archive.tokens.size() >= 6);
        // Copies, as the schedulers continue meanwhile.
        List<String> pages = List.copyOf(archive.pages);
        List<Long> tokens = List.copyOf(archive.tokens);
        assertThat(pages.subList(0, 6))
                .containsExactly("orders", "invoices", "returns", "orders", "invoices", "returns");
        assertThat(tokens.subList(0, 3)).containsOnly(tokens.get(0));
        assertThat(tokens).isSorted();
        // A token is the time of Redis in microseconds, so the second report belongs to another second, not to the
        // other instance.
        assertThat(tokens.get(3) - tokens.get(0)).isGreaterThan(900_000);
    }

    @Test
    void anInstanceThatIsLateByLessThanLockAtLeastForSkipsTheNight() {
        startBoth(NEVER);
        report(0).write();
        report(1).write();
        assertThat(archive.pages).containsExactly("orders", "invoices", "returns");
    }

    @Test
    void whileAnotherInstanceHoldsTheLockTheJobIsSkipped() {
        startBoth(NEVER);
        try (Lease held = leasehold(1).lock("job:report").tryAcquire().orElseThrow()) {
            report(0).write();
            assertThat(archive.pages).isEmpty();
        }
        report(0).write();
        assertThat(archive.pages).hasSize(3);
    }

    @Test
    void aJobWhoseLeaseIsLostStopsAndItsLateWriteIsRefused() {
        startBoth(NEVER);
        archive.beforeEach = page -> {
            if (page.equals("invoices") && archive.pages.size() == 1) {
                assertThat(leasehold(1).lock("job:report").forceRelease()).isTrue();
                // The other instance writes its report before this one writes its second page.
                CompletableFuture.runAsync(() -> report(1).write()).join();
            }
        };
        assertThatThrownBy(() -> report(0).write()).hasMessageContaining("is stale");
        assertThat(archive.pages).containsExactly("orders", "orders", "invoices", "returns");
        await().until(() -> archive.notes.size() == 1);
        assertThat(archive.notes.get(0)).startsWith("lost by ");
    }

    @Test
    void anInstanceThatDiedBlocksForItsShortLeaseOnly() {
        startBoth(NEVER);
        archive.beforeEach = page -> assertThat(
                        leasehold(1).lock("job:report").inspect().orElseThrow().left())
                .isLessThanOrEqualTo(Duration.ofSeconds(2));
        report(0).write();
        assertThat(archive.pages).hasSize(3);
    }
}
