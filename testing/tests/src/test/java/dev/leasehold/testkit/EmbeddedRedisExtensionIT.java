package dev.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/** Runs small test classes of its own and checks what they observed. */
class EmbeddedRedisExtensionIT {

    private static final List<Long> PIDS = new ArrayList<>();
    private static final List<Object> KEYS = new ArrayList<>();

    @BeforeEach
    void forget() {
        PIDS.clear();
        KEYS.clear();
    }

    private static void note(EmbeddedRedis redis) {
        assertThat(redis.password()).isNotNull();
        PIDS.add(redis.pid());
        KEYS.add(redis.command("DBSIZE"));
        redis.command("SET", "left-behind", "1");
    }

    @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
    static class PerClass {

        @RegisterExtension
        static final EmbeddedRedisExtension redis = EmbeddedRedisExtension.perClass();

        @Test
        @Order(1)
        void first() {
            note(redis.server());
            redis.server().pause();
        }

        @Test
        @Order(2)
        void afterAPause() {
            note(redis.server());
        }

        @Nested
        class Inner {

            @Test
            void sharesTheServerOfTheClassAroundIt() {
                note(redis.server());
            }
        }
    }

    static class PerClassAgain extends PerClass {}

    @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
    static class Killing {

        @RegisterExtension
        static final EmbeddedRedisExtension redis = EmbeddedRedisExtension.perClass();

        @Test
        @Order(1)
        void first() {
            note(redis.server());
            redis.server().kill();
        }

        @Test
        @Order(2)
        void afterAKill() {
            note(redis.server());
        }
    }

    static class Shared {

        @RegisterExtension
        static final EmbeddedRedisExtension redis = EmbeddedRedisExtension.shared();

        @Test
        void test() {
            note(redis.server());
        }
    }

    static class SharedAgain {

        @RegisterExtension
        static final EmbeddedRedisExtension redis =
                EmbeddedRedisExtension.shared().withoutFlush();

        @Test
        void test() {
            note(redis.server());
        }
    }

    @WithRedis
    @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
    static class Annotated {

        @Test
        @Order(1)
        void first(EmbeddedRedis redis) {
            note(redis);
        }

        @Test
        @Order(2)
        void second(EmbeddedRedis redis) {
            note(redis);
        }

        @Nested
        class Inner {

            @Test
            void sharesTheServerOfTheClassAroundIt(EmbeddedRedis redis) {
                note(redis);
            }
        }
    }

    @WithRedis(flush = false)
    static class AnnotatedWithoutFlush {

        AnnotatedWithoutFlush(EmbeddedRedis redis) {
            assertThat(redis.isRunning()).isTrue();
        }

        @Test
        void first(EmbeddedRedis redis) {
            note(redis);
        }

        @Test
        void second(EmbeddedRedis redis) {
            note(redis);
        }
    }

    @Test
    void oneServerAClassThatIsUsableAndEmptyBeforeEachTestAndGoneAfterwards() {
        run(PerClass.class);
        assertThat(KEYS).containsExactly(0L, 0L, 0L);
        assertThat(PIDS).hasSize(3).containsOnly(PIDS.get(0));
        assertAllGone();
    }

    @Test
    void aKilledServerIsRestartedForTheNextTest() {
        run(Killing.class);
        assertThat(KEYS).containsExactly(0L, 0L);
        assertThat(PIDS).doesNotHaveDuplicates();
        assertAllGone();
    }

    @Test
    void anotherServerForAnotherClass() {
        run(PerClass.class, PerClassAgain.class);
        assertThat(PIDS.stream().distinct()).hasSize(2);
        assertAllGone();
    }

    @Test
    void oneServerForAllClassesThatShareIt() {
        run(Shared.class, SharedAgain.class);
        assertThat(KEYS).containsExactly(0L, 1L);
        assertThat(PIDS).hasSize(2).containsOnly(PIDS.get(0));
        assertAllGone();
    }

    @Test
    void theAnnotationPassesTheServer() {
        run(Annotated.class);
        assertThat(KEYS).containsExactly(0L, 0L, 0L);
        assertThat(PIDS).hasSize(3).containsOnly(PIDS.get(0));
        assertAllGone();
    }

    @Test
    void theAnnotationKeepsTheKeysIfConfigured() {
        run(AnnotatedWithoutFlush.class);
        assertThat(KEYS).containsExactly(0L, 1L);
        assertAllGone();
    }

    @Test
    void saysThatTheFieldMustBeStatic() {
        EmbeddedRedisExtension unregistered = EmbeddedRedisExtension.perClass();
        assertThatIllegalStateException().isThrownBy(unregistered::uri).withMessageContaining("static");
    }

    private static void assertAllGone() {
        assertThat(PIDS).allSatisfy(pid -> assertThat(ProcessHandle.of(pid)).isEmpty());
    }

    private static void run(Class<?>... classes) {
        LauncherDiscoveryRequestBuilder request = LauncherDiscoveryRequestBuilder.request();
        for (Class<?> type : classes) {
            request.selectors(selectClass(type));
        }
        LauncherDiscoveryRequest built = request.build();
        SummaryGeneratingListener summary = new SummaryGeneratingListener();
        LauncherFactory.create().execute(built, summary);
        assertThat(summary.getSummary().getFailures())
                .allSatisfy(failure -> assertThat(failure.getException())
                        .as(failure.getTestIdentifier().getDisplayName())
                        .isNull());
        assertThat(summary.getSummary().getTestsSucceededCount()).isPositive();
    }
}
