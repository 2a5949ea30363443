package dev.leasehold.lettuce;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.leasehold.DistributedLock;
import dev.leasehold.Leasehold;
import dev.leasehold.LeaseholdBuilder;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.tck.FaultProxy;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.EmbeddedSentinel;
import io.lettuce.core.RedisClient;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Starts without Redis: what is refused, when and how; and Sentinels that are away or in a failover. */
class LateStartIT {

    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final String USER = "app";

    private static LeaseholdBuilder late(String uri) {
        return Leasehold.builder().uri(uri).startWithoutRedis(true);
    }

    private static void mayRunScripts(EmbeddedRedis redis, boolean may) {
        redis.command("ACL", "SETUSER", USER, "on", ">p", "~*", "&*", "+@all", may ? "+@scripting" : "-@scripting");
    }

    @Test
    void aRedisThatAnswersAtOnceAndThatThePreflightRefusesFailsTheStart() {
        try (EmbeddedRedis redis = EmbeddedRedis.start()) {
            mayRunScripts(redis, false);
            assertThatThrownBy(() -> late(redis.uri(USER, "p")).build())
                    .isInstanceOf(LockUnavailableException.class)
                    .hasMessageContaining("the preflight refuses this Redis");
        }
    }

    @Test
    void whatThePreflightWouldHaveRefusedIsRefusedByEachCallUntilItIsRepaired() {
        try (EmbeddedRedis redis = EmbeddedRedis.start();
                FaultProxy proxy = FaultProxy.before(redis.uri(USER, "p"))) {
            mayRunScripts(redis, false);
            proxy.refuse();
            try (Leasehold leasehold = late(proxy.uri()).build()) {
                DistributedLock lock = leasehold.lock("late");
                assertThatThrownBy(lock::tryAcquire)
                        .isInstanceOf(LockUnavailableException.class)
                        .hasMessageContaining("was not reached since this client started");
                proxy.heal();
                await().atMost(LIMIT)
                        .untilAsserted(() -> assertThatThrownBy(lock::tryAcquire)
                                .isInstanceOf(LockUnavailableException.class)
                                .hasMessageContaining("the preflight refuses this Redis")
                                .hasMessageContaining("+eval"));
                mayRunScripts(redis, true);
                await().atMost(LIMIT)
                        .ignoreException(LockUnavailableException.class)
                        .until(() -> {
                            lock.tryAcquire().orElseThrow().close();
                            return true;
                        });
            }
        }
    }

    /** It was told to grant +time to the user. */
    @Test
    void aLentClientThatRedisRefusesIsToldToCheckItsPassword() {
        try (EmbeddedRedis redis = EmbeddedRedis.start()) {
            RedisClient client = RedisClient.create("redis://:wrong@" + redis.host() + ":" + redis.port());
            try {
                LeaseholdBuilder builder = Leasehold.builder().transport(() -> LettuceTransport.over(client));
                assertThatThrownBy(builder::build)
                        .isInstanceOf(LockUnavailableException.class)
                        .hasMessageContaining("refused the connection of the given client: WRONGPASS")
                        .hasMessageContaining("user is disabled. Check its user and password");
                assertThatThrownBy(builder.startWithoutRedis(true)::build)
                        .isInstanceOf(LockUnavailableException.class)
                        .hasMessageContaining("WRONGPASS");
            } finally {
                client.shutdown();
            }
        }
    }

    @Test
    void whatNoRedisCouldMendIsRefusedByTheBuilder() {
        assertThatThrownBy(() -> late("redis://pass@word@127.0.0.1:1").build())
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> late("http://127.0.0.1:1").build()).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void sentinelsMayBeAwayAtTheStart() {
        try (EmbeddedSentinel group = EmbeddedSentinel.builder().start()) {
            group.sentinels().forEach(EmbeddedRedis::pause);
            try (Leasehold leasehold =
                    late(group.uri()).connectTimeout(Duration.ofSeconds(1)).build()) {
                assertThatThrownBy(leasehold.lock("late")::tryAcquire).isInstanceOf(LockUnavailableException.class);
                group.sentinels().forEach(EmbeddedRedis::resume);
                await().atMost(LIMIT)
                        .ignoreException(LockUnavailableException.class)
                        .until(() -> {
                            leasehold.lock("late").tryAcquire().orElseThrow().close();
                            return true;
                        });
            }
        }
    }

    @Test
    void aFailoverMayBeUnderWayAtTheStart() {
        try (EmbeddedSentinel group = EmbeddedSentinel.builder().start()) {
            group.primary().kill();
            try (Leasehold leasehold = late(group.uri()).outageTolerance(LIMIT).build()) {
                leasehold.lock("late").acquire(LIMIT).close();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }
}
