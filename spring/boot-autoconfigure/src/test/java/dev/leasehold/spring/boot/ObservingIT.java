package dev.leasehold.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.leasehold.Lease;
import dev.leasehold.LeaseLostException;
import dev.leasehold.Leasehold;
import dev.leasehold.diagnostics.Diagnostics;
import dev.leasehold.inspect.ReleasedLease;
import dev.leasehold.micrometer.LeaseholdMetrics;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.WithRedis;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.security.Principal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Meters, endpoint and health of an application with locks. */
@WithRedis
class ObservingIT {

    private final EmbeddedRedis redis;
    private final ApplicationContextRunner application;

    ObservingIT(EmbeddedRedis redis) {
        this.redis = redis;
        application = new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        LeaseholdAutoConfiguration.class,
                        LeaseholdMetricsAutoConfiguration.class,
                        LeaseholdEndpointAutoConfiguration.class,
                        LeaseholdHealthAutoConfiguration.class))
                .withPropertyValues(
                        "leasehold.uri=" + redis.uri(),
                        "leasehold.command-timeout=2s",
                        "leasehold.console.actions-role=OPERATOR",
                        "spring.jmx.enabled=true",
                        "management.endpoints.jmx.exposure.include=leasehold");
    }

    /** A user with one role, as the web server tells the actuator. */
    private record User(String name, String role) implements SecurityContext {
        @Override
        public Principal getPrincipal() {
            return () -> name;
        }

        @Override
        public boolean isUserInRole(String asked) {
            return asked.equals(role);
        }
    }

    private static final SecurityContext OPERATOR = new User("olga", "OPERATOR");

    @Configuration(proxyBeanMethods = false)
    static class Registry {
        @Bean
        MeterRegistry meters() {
            return new SimpleMeterRegistry();
        }
    }

    private static void eventually(ThrowingRunnable check) {
        await().atMost(Duration.ofSeconds(20)).untilAsserted(check);
    }

    @Test
    void metersAreRegisteredIfMicrometerIsPresent() {
        application.withUserConfiguration(Registry.class).run(context -> {
            MeterRegistry meters = context.getBean(MeterRegistry.class);
            try (Lease held = context.getBean(Leasehold.class).lock("counted").acquire()) {
                eventually(() ->
                        assertThat(meters.get("leasehold.held").gauge().value()).isEqualTo(1));
                assertThat(meters.get("leasehold.acquired").counter().getId().getTags())
                        .isEmpty();
                held.ensureHeld();
            }
            eventually(() ->
                    assertThat(meters.get("leasehold.held").gauge().value()).isZero());
        });
    }

    @Test
    void metersByLockOnRequest() {
        application
                .withUserConfiguration(Registry.class)
                .withPropertyValues("leasehold.metrics.lock-names=true")
                .run(context -> {
                    context.getBean(Leasehold.class).lock("named").acquire().close();
                    eventually(() -> assertThat(context.getBean(MeterRegistry.class)
                                    .get("leasehold.acquired")
                                    .tag("lock", "named")
                                    .counter()
                                    .count())
                            .isEqualTo(1));
                });
    }

    @Test
    void withoutTheirDependenciesThereAreNoMeters() {
        application.run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(LeaseholdMetrics.class));
        application
                .withUserConfiguration(Registry.class)
                .withPropertyValues("leasehold.metrics.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(LeaseholdMetrics.class));
        application
                .withUserConfiguration(Registry.class)
                .withClassLoader(new FilteredClassLoader(LeaseholdMetrics.class))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(Leasehold.class)
                        .doesNotHaveBean("leaseholdMetrics"));
        application
                .withClassLoader(new FilteredClassLoader("io.micrometer.core"))
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(Leasehold.class));
    }

    @Test
    void theEndpointReportsLocalWaitersAndTheHolderInRedis() {
        application.run(context -> {
            LeaseholdEndpoint endpoint = context.getBean(LeaseholdEndpoint.class);
            Leasehold own = context.getBean(Leasehold.class);
            try (Leasehold other = Leasehold.connect(redis.uri());
                    Lease theirs = other.lock("wanted").ownedBy("their job").acquire()) {
                CompletableFuture<Lease> waiter =
                        own.lock("wanted").acquireAsync().toCompletableFuture();
                eventually(() -> assertThat(endpoint.describe().waiting())
                        .containsExactly(new LeaseholdEndpoint.WantedLock("wanted", 1)));
                assertThat(endpoint.describe().held()).isEmpty();
                assertThat(endpoint.holder("wanted").holder())
                        .containsEntry("owner", "their job")
                        .containsEntry("count", 1)
                        .hasEntrySatisfying(
                                "waiters",
                                waiters -> assertThat(waiters)
                                        .asInstanceOf(InstanceOfAssertFactories.LIST)
                                        .hasSize(1));
                assertThat(endpoint.holder("nobody's").holder()).isNull();
                theirs.release();
                waiter.join().release();
            }
            eventually(() -> assertThat(endpoint.describe().waiting()).isEmpty());
            assertThatThrownBy(() -> endpoint.holder("")).isInstanceOf(IllegalArgumentException.class);
        });
    }

    /** Another program may write any text as the token of a lock. */
    @Test
    void theEndpointShowsALockWhoseTokenCannotBeRead() {
        application.run(context -> {
            try (Lease held = context.getBean(Leasehold.class).lock("spoilt").acquire()) {
                for (String token : List.of("99999999999999999999", "-7", "many")) {
                    redis.command("HSET", "leasehold:{spoilt}", "last", token);
                    assertThat(context.getBean(LeaseholdEndpoint.class)
                                    .holder("spoilt")
                                    .holder())
                            .as(token)
                            .containsEntry("problem", "cannot be read: 'last'");
                }
                redis.command("HSET", "leasehold:{spoilt}", "last", Long.toString(held.fencingToken()));
            }
        });
    }

    @Test
    void aForcedReleaseIsRefusedUnlessAllowed() {
        application.run(context -> {
            LeaseholdEndpoint endpoint = context.getBean(LeaseholdEndpoint.class);
            try (Lease held = context.getBean(Leasehold.class).lock("kept").acquire()) {
                LeaseholdEndpoint.ForcedRelease answer = endpoint.forceRelease("kept", OPERATOR);
                assertThat(answer.allowed()).isFalse();
                assertThat(answer.released()).isFalse();
                assertThat(answer.reason()).contains("leasehold.endpoint.allow-forced-release=true");
                assertThat(held.extend(Duration.ofSeconds(30))).isTrue();
            }
        });
    }

    @Test
    void aForcedReleaseTakesTheLockAwayIfItIsAllowed() {
        application
                .withPropertyValues("leasehold.endpoint.allow-forced-release=true")
                .run(context -> {
                    LeaseholdEndpoint endpoint = context.getBean(LeaseholdEndpoint.class);
                    Lease held = context.getBean(Leasehold.class)
                            .lock("taken")
                            .ownedBy("job")
                            .acquire();
                    assertThat(endpoint.forceReleaseByToken("taken", held.fencingToken() - 1, OPERATOR)
                                    .released())
                            .isFalse();
                    held.ensureHeld();
                    LeaseholdEndpoint.ForcedRelease answer =
                            endpoint.forceReleaseByToken("taken", held.fencingToken(), OPERATOR);
                    assertThat(answer.allowed()).isTrue();
                    assertThat(answer.released()).isTrue();
                    assertThat(answer.formerHolder()).containsEntry("owner", "job");
                    assertThat(held.extend(Duration.ofSeconds(30))).isFalse();
                    assertThat(endpoint.forceRelease("taken", OPERATOR).released())
                            .isFalse();
                });
    }

    @Test
    void theReleaseOfAllLeasesIsRefusedUnlessAllowed() {
        application
                .withPropertyValues("leasehold.endpoint.allow-forced-release=true")
                .run(context -> {
                    LeaseholdEndpoint endpoint = context.getBean(LeaseholdEndpoint.class);
                    try (Lease held =
                            context.getBean(Leasehold.class).lock("kept").acquire()) {
                        LeaseholdEndpoint.ReleaseOfAll answer = endpoint.releaseAll(OPERATOR);
                        assertThat(answer.allowed()).isFalse();
                        assertThat(answer.released()).isEmpty();
                        assertThat(answer.reason()).contains("leasehold.endpoint.allow-release-all=true");
                        assertThat(held.extend(Duration.ofSeconds(30))).isTrue();
                    }
                });
    }

    @Test
    void allLeasesOfThisInstanceAreReleasedIfItIsAllowedAndNoneOfAnother() {
        application
                .withPropertyValues("leasehold.endpoint.allow-release-all=true")
                .run(context -> {
                    LeaseholdEndpoint endpoint = context.getBean(LeaseholdEndpoint.class);
                    Leasehold own = context.getBean(Leasehold.class);
                    try (Leasehold other = Leasehold.connect(redis.uri());
                            Lease theirs = other.lock("theirs").acquire()) {
                        Lease one = own.lock("one").ownedBy("job").acquire();
                        Lease two = own.lock("two").acquire();
                        LeaseholdEndpoint.ReleaseOfAll answer = endpoint.releaseAll(OPERATOR);
                        assertThat(answer.allowed()).isTrue();
                        assertThat(answer.released())
                                .extracting(ReleasedLease::lockName, ReleasedLease::owner, ReleasedLease::confirmed)
                                .containsExactlyInAnyOrder(tuple("one", "job", true), tuple("two", two.owner(), true));
                        assertThat(own.lock("one").inspect()).isEmpty();
                        assertThat(own.lock("two").inspect()).isEmpty();
                        assertThatThrownBy(one::close)
                                .isInstanceOf(LeaseLostException.class)
                                .hasMessageContaining("'one'");
                        assertThat(theirs.extend(Duration.ofSeconds(30))).isTrue();
                        assertThat(endpoint.releaseAll(OPERATOR).released()).isEmpty();
                        eventually(() -> assertThat(endpoint.describe().held()).isEmpty());
                    }
                });
    }

    @Test
    void aReleaseNeedsTheRoleOfActions() {
        ApplicationContextRunner allowed = application.withPropertyValues(
                "leasehold.endpoint.allow-forced-release=true", "leasehold.endpoint.allow-release-all=true");
        allowed.run(context -> assertRefused(context, new User("ulf", "USER"), "does not have the role"));
        allowed.run(context -> assertRefused(context, SecurityContext.NONE, "does not have the role"));
        for (String none : List.of("", " ")) {
            allowed.withPropertyValues("leasehold.console.actions-role=" + none)
                    .run(context -> assertRefused(context, OPERATOR, "leasehold.console.actions-role"));
        }
    }

    private static void assertRefused(ApplicationContext context, SecurityContext user, String reason)
            throws InterruptedException {
        LeaseholdEndpoint endpoint = context.getBean(LeaseholdEndpoint.class);
        try (Lease held = context.getBean(Leasehold.class).lock("kept").acquire()) {
            assertThat(endpoint.forceRelease("kept", user).reason()).contains(reason);
            assertThat(endpoint.forceReleaseByToken("kept", held.fencingToken(), user)
                            .allowed())
                    .isFalse();
            assertThat(endpoint.releaseAll(user).reason()).contains(reason);
            assertThat(held.extend(Duration.ofSeconds(30))).isTrue();
        }
    }

    @Test
    void aReleaseNeedsNoRoleIfAPropertySaysSo() {
        application
                .withPropertyValues(
                        "leasehold.console.actions-role=",
                        "leasehold.endpoint.allow-forced-release=true",
                        "leasehold.endpoint.allow-without-role=true")
                .run(context -> {
                    LeaseholdEndpoint endpoint = context.getBean(LeaseholdEndpoint.class);
                    context.getBean(Leasehold.class).lock("taken").acquire();
                    assertThat(endpoint.forceRelease("taken", SecurityContext.NONE)
                                    .released())
                            .isTrue();
                });
    }

    /** Meters, health and the endpoint of an application whose password has every character of ASCII. */
    @Test
    void thePasswordOfRedisIsInNothingThatIsObserved() {
        String password = "s3cBegin"
                + IntStream.rangeClosed(' ', '~').mapToObj(Character::toString).collect(Collectors.joining())
                + "é彩🔒s3cFinish";
        redis.command("ACL", "SETUSER", "app", "on", ">" + password, "~*", "&*", "+@all");
        try {
            application
                    .withUserConfiguration(Registry.class)
                    .withPropertyValues("leasehold.uri=" + redis.uri("app", password))
                    .run(context -> {
                        // A lease that is left at the end would be waited for.
                        Lease held =
                                context.getBean(Leasehold.class).lock("job").acquire();
                        MeterRegistry meters = context.getBean(MeterRegistry.class);
                        List<String> shown = new ArrayList<>();
                        meters.getMeters()
                                .forEach(meter -> shown.add(meter.getId().toString()));
                        shown.add(
                                context.getBean(HealthIndicator.class).health().toString());
                        LeaseholdEndpoint endpoint = context.getBean(LeaseholdEndpoint.class);
                        shown.add(endpoint.describe().toString());
                        shown.add(endpoint.holder("job").toString());
                        shown.add(context.getBean(LeaseholdProperties.class).toString());
                        held.release();
                        redis.command("ACL", "SETUSER", "app", "resetpass", ">other");
                        redis.command("CLIENT", "KILL", "USER", "app");
                        shown.add(
                                context.getBean(HealthIndicator.class).health().toString());
                        assertThat(shown).hasSizeGreaterThan(8).anyMatch(text -> text.contains("job"));
                        assertThat(shown).noneMatch(text -> text.contains("s3cBegin") || text.contains("s3cFinish"));
                    });
        } finally {
            redis.command("ACL", "DELUSER", "app");
        }
    }

    @Test
    void healthIsDownWhileRedisDoesNotAnswer() {
        application.run(context -> {
            HealthIndicator health = context.getBean(HealthIndicator.class);
            assertThat(health.health().getStatus()).isEqualTo(Status.UP);
            redis.kill();
            try {
                Health down = health.health();
                assertThat(down.getStatus()).isEqualTo(Status.DOWN);
                assertThat(down.getDetails().toString()).contains("Check that it is up");
            } finally {
                redis.restartEmpty();
            }
        });
    }

    @Test
    void healthAsksForTheTimeAndNothingElse() {
        application.run(context -> {
            HealthIndicator health = context.getBean(HealthIndicator.class);
            redis.command("CONFIG", "RESETSTAT");
            for (int n = 0; n < 10; n++) {
                assertThat(health.health().getStatus()).isEqualTo(Status.UP);
            }
            Map<String, String> commands = new TreeMap<>(redis.info("commandstats"));
            // Of the connection of this test.
            commands.keySet().removeAll(Set.of("cmdstat_config|resetstat", "cmdstat_auth", "cmdstat_info"));
            assertThat(commands).containsOnlyKeys("cmdstat_time");
            assertThat(commands.get("cmdstat_time")).startsWith("calls=10,");
        });
    }

    /** A danger such as the eviction of keys affects every instance, so none is taken out of service. */
    @Test
    void healthReportsDangersAndTheRenewalLag() {
        application.withPropertyValues("leasehold.lock.renewal-ratio=0.02").run(context -> {
            HealthIndicator health = context.getBean(HealthIndicator.class);
            Leasehold leasehold = context.getBean(Leasehold.class);
            redis.command("CONFIG", "SET", "maxmemory-policy", "allkeys-lru", "maxmemory", "100mb");
            try (Lease held = leasehold.lock("lagging").acquire()) {
                eventually(() -> assertThat(health.health().getDetails()).containsKey("lastRenewalLagMillis"));
                assertThat(Diagnostics.of(leasehold).findings()).isNotEmpty();
                Health reported = health.health();
                assertThat(reported.getStatus()).isEqualTo(Status.UP);
                assertThat(reported.getDetails().get("dangers").toString()).contains("maxmemory-policy");
                held.ensureHeld();
            } finally {
                redis.command("CONFIG", "SET", "maxmemory-policy", "noeviction", "maxmemory", "0");
            }
        });
    }
}
