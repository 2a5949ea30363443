package dev.leasehold.lettuce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.leasehold.Acquirable;
import dev.leasehold.Candidacy;
import dev.leasehold.DemotionReason;
import dev.leasehold.LeaderListener;
import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LeaseholdBuilder.Preflight;
import dev.leasehold.Term;
import dev.leasehold.testkit.EmbeddedRedis;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Redis refuses PUBLISH and not SUBSCRIBE, because of the user's rights or because the command is renamed: waiters poll. */
class RefusedWakeUpsIT {

    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final int WAITERS = 4;

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable one : opened) {
            one.close();
        }
    }

    private <T extends AutoCloseable> T closing(T one) {
        opened.push(one);
        return one;
    }

    private EmbeddedRedis forbidding() {
        EmbeddedRedis redis = closing(EmbeddedRedis.start());
        redis.command("ACL", "SETUSER", "mute", "on", ">secret", "~*", "&*", "+@all", "-publish");
        return redis;
    }

    private EmbeddedRedis renaming() {
        return closing(
                EmbeddedRedis.builder().config("rename-command", "PUBLISH", "\"\"").start());
    }

    private Leasehold client(String uri) {
        return closing(Leasehold.builder().uri(uri).preflight(Preflight.OFF).build());
    }

    private static String mute(EmbeddedRedis redis) {
        return redis.uri("mute", "secret");
    }

    private static void untilWaiting(EmbeddedRedis redis, int waiters) {
        await().atMost(LIMIT)
                .until(
                        () -> redis.command("HGET", "leasehold:{x}", "wn"),
                        Integer.toString(waiters)::equals);
    }

    /** Each waiter, of a client of its own, records its turn and releases. */
    private List<Integer> turns(EmbeddedRedis redis, String uri, Function<Leasehold, Acquirable<Lease>> lock) throws Exception {
        List<Integer> turns = Collections.synchronizedList(new ArrayList<>());
        List<CompletableFuture<Void>> waiters = new ArrayList<>();
        Lease held = lock.apply(client(uri)).acquire();
        for (int i = 0; i < WAITERS; i++) {
            int turn = i;
            waiters.add(lock.apply(client(uri))
                    .acquireAsync()
                    .thenCompose(lease -> {
                        turns.add(turn);
                        return lease.releaseAsync();
                    })
                    .toCompletableFuture());
            untilWaiting(redis, i + 1);
        }
        held.release();
        await().atMost(LIMIT).until(() -> waiters.stream().allMatch(CompletableFuture::isDone));
        assertThat(waiters).allSatisfy(one -> assertThat(one).isCompleted());
        return turns;
    }

    private static List<Integer> inOrder() {
        return IntStream.range(0, WAITERS).boxed().toList();
    }

    @Test
    void aFairLockKeepsItsOrderWhereTheUserMayNotPublish() throws Exception {
        EmbeddedRedis redis = forbidding();
        assertThat(turns(redis, mute(redis), client -> client.fairLock("x"))).isEqualTo(inOrder());
    }

    @Test
    void aFairLockKeepsItsOrderWherePublishIsRenamed() throws Exception {
        EmbeddedRedis redis = renaming();
        assertThat(turns(redis, redis.uri(), client -> client.fairLock("x"))).isEqualTo(inOrder());
    }

    @Test
    void aFairSemaphoreKeepsItsOrder() throws Exception {
        EmbeddedRedis redis = forbidding();
        assertThat(turns(
                        redis,
                        mute(redis),
                        client -> client.semaphore("x", 1).fair().atOnce(1)))
                .isEqualTo(inOrder());
    }

    @Test
    void candidatesAreElectedInTheirOrder() {
        EmbeddedRedis redis = forbidding();
        List<Integer> turns = Collections.synchronizedList(new ArrayList<>());
        List<Candidacy> candidacies = new ArrayList<>();
        for (int i = 0; i < WAITERS; i++) {
            int turn = i;
            candidacies.add(client(mute(redis)).leaderElection("x").stand(new LeaderListener() {
                @Override
                public void onElected(Term term) {
                    turns.add(turn);
                }

                @Override
                public void onDemoted(Term term, DemotionReason reason) {}
            }));
            if (i == 0) {
                await().atMost(LIMIT).until(() -> turns.size() == 1);
            } else {
                untilWaiting(redis, i);
            }
        }
        for (int i = 1; i < WAITERS; i++) {
            candidacies.get(turns.get(i - 1)).close();
            int elected = i + 1;
            await().atMost(LIMIT).until(() -> turns.size() == elected);
        }
        assertThat(turns).isEqualTo(inOrder());
    }
}
