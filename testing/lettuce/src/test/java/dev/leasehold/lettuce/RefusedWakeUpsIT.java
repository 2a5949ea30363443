package dev.leasehold.lettuce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.leasehold.Acquirable;
import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LeaseholdBuilder.Preflight;
import dev.leasehold.recipes.Candidacy;
import dev.leasehold.recipes.DemotionReason;
import dev.leasehold.recipes.Elections;
import dev.leasehold.recipes.LeaderListener;
import dev.leasehold.recipes.Term;
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
import org.slf4j.LoggerFactory;

/** Redis refuses PUBLISH and not SUBSCRIBE, because of the user's rights or because the command is renamed: waiters poll. */
class RefusedWakeUpsIT {

    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final int WAITERS = 2;
    private static final long POLLS = 30;

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
                EmbeddedRedis.builder().config("rename-command", "PUBLISH", "").start());
    }

    private Leasehold client(String uri) {
        return closing(Leasehold.builder().uri(uri).preflight(Preflight.OFF).build());
    }

    /** A client that checks the server when it connects, and so learns what its user may do. */
    private Leasehold checked(String uri) {
        return closing(Leasehold.builder().uri(uri).build());
    }

    private static String mute(EmbeddedRedis redis) {
        return redis.uri("mute", "secret");
    }

    private static void untilWaiting(EmbeddedRedis redis, int waiters) {
        await().atMost(LIMIT)
                .until(() -> redis.command("HGET", "leasehold:{x}", "wn"), Integer.toString(waiters)::equals);
    }

    /** Each waiter, of a client of its own, records its turn and releases. */
    private List<Integer> turns(EmbeddedRedis redis, String uri, Function<Leasehold, Acquirable<Lease>> lock)
            throws Exception {
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
            candidacies.add(Elections.of(client(mute(redis))).election("x").stand(new LeaderListener() {
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

    /** Fails if the waiters do not send these many scripts: each polls every 50 ms on average, and would every 5 s otherwise. */
    private static void untilPollsOften(EmbeddedRedis redis) {
        redis.resetStats();
        await().atMost(LIMIT).until(() -> redis.commandCounts().getOrDefault("evalsha", 0L) >= POLLS);
    }

    private static void holdsAndLetsWait(Acquirable<Lease> held, Acquirable<Lease> waiting, EmbeddedRedis redis)
            throws Exception {
        Lease lease = held.acquire();
        CompletableFuture<Lease> waiter = waiting.acquireAsync().toCompletableFuture();
        untilWaiting(redis, 1);
        untilPollsOften(redis);
        lease.release();
        await().atMost(LIMIT).until(waiter::isDone);
        waiter.join().release();
    }

    @Test
    void waitersPollAtTheirIntervalFromTheBeginningIfTheirOwnUserMayNotPublish() throws Exception {
        EmbeddedRedis redis = forbidding();
        Leasehold holder = checked(mute(redis));
        Leasehold waiter = checked(mute(redis));
        holdsAndLetsWait(holder.lock("x"), waiter.lock("x"), redis);
        holdsAndLetsWait(holder.fairLock("x"), waiter.fairLock("x"), redis);
        holdsAndLetsWait(
                holder.semaphore("x", 1).asLock(), waiter.semaphore("x", 1).asLock(), redis);
    }

    @Test
    void waitersOfOtherClientsDoSoOnceRedisHasRefusedAWakeUp() throws Exception {
        EmbeddedRedis redis = forbidding();
        Lease held = checked(mute(redis)).lock("x").acquire();
        CompletableFuture<Lease> first =
                checked(redis.uri()).lock("x").acquireAsync().toCompletableFuture();
        untilWaiting(redis, 1);
        held.release();
        await().atMost(LIMIT).until(first::isDone);
        CompletableFuture<Lease> second =
                checked(redis.uri()).lock("x").acquireAsync().toCompletableFuture();
        untilWaiting(redis, 1);
        untilPollsOften(redis);
        first.join().release();
        await().atMost(LIMIT).until(second::isDone);
    }

    @Test
    void connectingLogsThatWakeUpsAreRefused() {
        EmbeddedRedis redis = forbidding();
        for (Preflight mode : List.of(Preflight.WARN, Preflight.REFUSE)) {
            assertThat(logged(() -> closing(
                            Leasehold.builder().uri(mute(redis)).preflight(mode).build())))
                    .anyMatch(line -> line.startsWith("INFO wake-ups: Redis refuses wake-ups (PUBLISH)"))
                    .anyMatch(line -> line.startsWith("INFO persistence: No append-only file"));
        }
        redis.command("CONFIG", "SET", "maxmemory-policy", "allkeys-lru", "maxmemory", "100mb");
        assertThat(logged(() -> checked(mute(redis))))
                .anyMatch(line -> line.startsWith("WARN maxmemory-policy: allkeys-lru with a memory limit"));
    }

    /** Returns the lines that the check at connect logs meanwhile. */
    private static List<String> logged(Runnable connect) {
        Logger logger = (Logger) LoggerFactory.getLogger("dev.leasehold.preflight");
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        Level before = logger.getLevel();
        lines.start();
        logger.addAppender(lines);
        logger.setLevel(Level.INFO);
        try {
            connect.run();
        } finally {
            logger.setLevel(before);
            logger.detachAppender(lines);
        }
        return lines.list.stream()
                .map(event -> event.getLevel() + " " + event.getFormattedMessage())
                .toList();
    }
}
