package dev.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.DistributedLock;
import dev.leasehold.DistributedReadWriteLock;
import dev.leasehold.Lease;
import dev.leasehold.LockOptions;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.Renewal;
import dev.leasehold.interop.Formats;
import dev.leasehold.recipes.DistributedLatch;
import dev.leasehold.recipes.Latches;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Nothing in a client grows with the names, the waiters, the leases or the failures that it had: when they are over, as many objects
 * are reachable from the client as after one of each, and as few timers are scheduled.
 */
class ClientBoundsTest {

    private static final LockOptions RETAINING =
            LockOptions.builder().retainFor(Duration.ofMillis(800)).build();
    private static final LockOptions KEEPING =
            LockOptions.builder().minHold(Duration.ofSeconds(1)).build();
    private static final LockOptions SHORT = LockOptions.builder()
            .leaseTime(Duration.ofSeconds(1))
            .renewal(Renewal.none())
            .build();

    private final ManualClock clock = ManualClock.create();
    private final InMemoryLeasehold own = InMemoryLeasehold.create(clock);
    private final InMemoryLeasehold other = own.another();

    @AfterEach
    void close() {
        own.close();
        other.close();
    }

    /** What is left of a use, when the token memory of names and all else that ends by itself is over. */
    private Map<String, Integer> afterwards(int number, Use use) throws Exception {
        for (int n = 0; n < number; n++) {
            use.of(own, "name-" + n);
        }
        clock.advance(Duration.ofMinutes(10));
        Map<String, Integer> left = ReachableObjects.from(value(own, "client"));
        int timers = 0;
        for (Object task : (Collection<?>) value(clock, "tasks")) {
            timers += (Boolean) value(task, "cancelled") ? 0 : 1;
        }
        left.put("timers", timers);
        return left;
    }

    private static Object value(Object object, String name) throws ReflectiveOperationException {
        Field field = object.getClass().getDeclaredField(name);
        field.setAccessible(true);
        return field.get(object);
    }

    /** What a client does with one name. */
    private interface Use {
        void of(InMemoryLeasehold client, String name) throws Exception;
    }

    private void leavesNothing(int number, Use use) throws Exception {
        Map<String, Integer> one = afterwards(1, use);
        assertThat(afterwards(number, use)).isEqualTo(one);
        assertThat(own.redis().keys()).isEmpty();
    }

    @Test
    void locksOfTenThousandNames() throws Exception {
        leavesNothing(10_000, (client, name) -> client.lock(name).acquire().release());
    }

    @Test
    void leasesWhoseKeysAreTracked() throws Exception {
        leavesNothing(300, (client, name) -> {
            Lease released = client.lock(name).acquire();
            Lease lost = client.lock(name + "-lost").acquire();
            clock.advance(Duration.ofMillis(150));
            assertThat(other.lock(name).requestRelease()).isTrue();
            clock.advance(Duration.ofMillis(10));
            released.release();
            assertThat(other.lock(name + "-lost").forceRelease()).isTrue();
            clock.advance(Duration.ofMillis(110));
            assertThat(lost.isHeld()).isFalse();
        });
    }

    @Test
    void allKindsOfLocks() throws Exception {
        leavesNothing(300, (client, name) -> {
            client.lock(name).ownedBy("me").acquire().release();
            client.lock(name).lock();
            client.lock(name).unlock();
            client.fairLock(name).acquire().release();
            client.lock(name, Formats.plain()).acquire().release();
            client.semaphore(name + "-permits", 2).asLock().acquire().release();
            DistributedReadWriteLock document = client.readWriteLock(name);
            document.readLock().acquire().release();
            document.downgrade(document.writeLock().acquire()).release();
            client.allOf(name, name + "-two").acquire().release();
            client.lock(name).with(RETAINING).acquire().release();
            client.lock(name).with(KEEPING).acquire().release();
            Lease exported = client.lock(name + "-exported").acquire();
            String resumable = exported.export();
            exported.close();
            client.resume(resumable).release();
        });
    }

    @Test
    void waitersThatGiveUp() throws Exception {
        leavesNothing(300, (client, name) -> {
            Lease held = other.lock(name).acquire();
            assertThat(client.lock(name).tryAcquire()).isEmpty();
            assertThat(client.lock(name).tryAcquire(Duration.ofMillis(50))).isEmpty();
            List<CompletableFuture<Lease>> waiters = new ArrayList<>();
            for (DistributedLock lock : List.of(
                    client.lock(name),
                    client.fairLock(name),
                    client.lock(name).ownedBy("me"),
                    client.readWriteLock(name).readLock(),
                    client.readWriteLock(name).writeLock())) {
                waiters.add(lock.acquireAsync().toCompletableFuture());
                waiters.add(lock.acquireAsync().toCompletableFuture());
            }
            clock.advance(Duration.ofMillis(100));
            waiters.forEach(waiter -> waiter.cancel(false));
            held.release();
        });
    }

    @Test
    void waitersThatAreServed() throws Exception {
        leavesNothing(300, (client, name) -> {
            Lease held = other.lock(name).acquire();
            List<CompletableFuture<Void>> waiters = new ArrayList<>();
            for (DistributedLock lock : List.of(
                    client.lock(name),
                    client.fairLock(name),
                    client.readWriteLock(name).readLock(),
                    client.readWriteLock(name).writeLock())) {
                waiters.add(lock.acquireAsync()
                        .thenCompose(Lease::releaseAsync)
                        .thenRun(() -> {})
                        .toCompletableFuture());
            }
            held.release();
            clock.advance(Duration.ofSeconds(10));
            assertThat(waiters).allSatisfy(waiter -> assertThat(waiter).isCompleted());
        });
    }

    @Test
    void latchesAndTheirWaiters() throws Exception {
        leavesNothing(300, (client, name) -> {
            DistributedLatch latch = Latches.of(client).latch(name);
            assertThat(latch.trySet(1, Duration.ofSeconds(5))).isTrue();
            CompletableFuture<Boolean> reached = latch.awaitAsync().toCompletableFuture();
            assertThat(latch.await(Duration.ofMillis(50))).isFalse();
            assertThat(latch.countDown()).isZero();
            assertThat(reached).isCompletedWithValue(true);
        });
    }

    @Test
    void leasesThatAreLost() throws Exception {
        leavesNothing(300, (client, name) -> {
            Lease ended = client.lock(name).with(SHORT).acquire();
            Lease deleted = client.lock(name + "-deleted").acquire();
            client.redis().evict("leasehold:{" + name + "-deleted}");
            clock.advance(Duration.ofSeconds(15));
            assertThat(ended.isHeld()).isFalse();
            assertThat(deleted.isHeld()).isFalse();
        });
    }

    @Test
    void failures() throws Exception {
        leavesNothing(100, (client, name) -> {
            Lease unconfirmed = client.lock(name).acquire();
            Lease released = client.lock(name + "-released").acquire();
            client.cutOff(true);
            CompletableFuture<Lease> waiter =
                    client.lock(name + "-unknown").acquireAsync().toCompletableFuture();
            try {
                client.lock(name + "-failed").tryAcquire(Duration.ofSeconds(1));
            } catch (LockUnavailableException e) {
                assertThat(e).hasMessageContaining(name);
            }
            released.releaseAsync();
            clock.advance(Duration.ofSeconds(40));
            client.cutOff(false);
            assertThat(waiter).isCompletedExceptionally();
            assertThat(unconfirmed.isHeld()).isFalse();
        });
    }
}
