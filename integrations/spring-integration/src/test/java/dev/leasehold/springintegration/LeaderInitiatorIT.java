package dev.leasehold.springintegration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.leasehold.Leasehold;
import dev.leasehold.LockOptions;
import dev.leasehold.Renewal;
import dev.leasehold.event.LeaseholdListener;
import dev.leasehold.event.ReleasedEvent;
import dev.leasehold.event.RenewedEvent;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.WithRedis;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.integration.leader.AbstractCandidate;
import org.springframework.integration.leader.Context;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;

/** Spring Integration's leader initiator with locks of this library, in two instances of an application. */
@WithRedis
class LeaderInitiatorIT {

    private static final LockOptions OPTIONS =
            LockOptions.builder().renewal(Renewal.afterRatio(0.02)).build();

    private final EmbeddedRedis redis;
    private final List<String> events = new CopyOnWriteArrayList<>();
    private final AtomicInteger renewals = new AtomicInteger();
    private final AtomicInteger releases = new AtomicInteger();
    private Instance one;
    private Instance two;

    LeaderInitiatorIT(EmbeddedRedis redis) {
        this.redis = redis;
    }

    private final class Instance extends AbstractCandidate {
        final Leasehold leasehold = Leasehold.builder()
                .uri(redis.uri())
                .listener(new LeaseholdListener() {
                    @Override
                    public void renewed(RenewedEvent event) {
                        renewals.incrementAndGet();
                    }

                    @Override
                    public void released(ReleasedEvent event) {
                        releases.incrementAndGet();
                    }
                })
                .build();
        final LockRegistryLeaderInitiator initiator =
                new LockRegistryLeaderInitiator(new LeaseholdLockRegistry(leasehold, "leaders:", OPTIONS), this);

        Instance(String id) {
            super(id, "importer");
            initiator.setHeartBeatMillis(20);
            initiator.setBusyWaitMillis(10);
        }

        @Override
        public void onGranted(Context context) {
            events.add("granted " + getId());
        }

        @Override
        public void onRevoked(Context context) {
            events.add("revoked " + getId());
        }

        boolean leads() {
            return initiator.getContext().isLeader();
        }

        void end() {
            initiator.destroy();
            leasehold.close();
        }
    }

    @BeforeEach
    void start() {
        one = new Instance("one");
        two = new Instance("two");
        one.initiator.start();
        await().until(one::leads);
        two.initiator.start();
    }

    @AfterEach
    void end() {
        one.end();
        two.end();
    }

    @Test
    void oneOfTwoLeadsAndTheOtherFollowsWhenItStops() {
        assertThat(two.leads()).isFalse();
        one.initiator.stop();
        await().until(two::leads);
        assertThat(one.leads()).isFalse();
        // Spring unlocks before it tells the candidate, so "revoked one" may come after "granted two".
        await().until(() -> events.contains("revoked one"));
        assertThat(events).containsOnlyOnce("granted one", "revoked one", "granted two");
        assertThat(events.get(0)).isEqualTo("granted one");
        // Released, not only left behind by a thread that has ended.
        await().until(() -> releases.get() == 1);
    }

    @Test
    void aLeaderThatYieldsIsRevokedAndAnInstanceLeadsAgain() {
        one.initiator.getContext().yield();
        await().until(() -> events.contains("revoked one"));
        await().until(() -> releases.get() >= 1);
        await().until(() -> Stream.of(one, two).filter(Instance::leads).count() == 1);
    }

    @Test
    void aLeaderWhoseLeaseIsTakenAwayIsRevoked() {
        assertThat(two.leasehold.lock("leaders:importer").forceRelease()).isTrue();
        await().until(() -> events.contains("revoked one"));
        await().until(() -> Stream.of(one, two).filter(Instance::leads).count() == 1);
    }

    @Test
    void theLeaseOfALeaderIsRenewed() {
        int before = renewals.get();
        await().atMost(Duration.ofSeconds(30)).until(() -> renewals.get() >= before + 2);
        assertThat(one.leads()).isTrue();
        assertThat(events).containsExactly("granted one");
    }
}
