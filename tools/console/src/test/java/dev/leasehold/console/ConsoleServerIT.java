package dev.leasehold.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.leasehold.Lease;
import dev.leasehold.LockOptions;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** What the streams of the console deliver. */
class ConsoleServerIT extends ServedConsole {

    @Test
    void showsALockWithItsHolderWithinARefresh() throws InterruptedException {
        try (Events events = watch("screen=now")) {
            JsonNode empty = events.until(state -> state.get("status").asText().equals("live"));
            assertThat(empty.get("locks")).isEmpty();
            Lease lease = other.lock("order-17")
                    .with(LockOptions.builder().label("trace 1").build())
                    .acquire();
            JsonNode state = events.until(now -> now.get("held").asInt() == 1);
            JsonNode lock = state.get("locks").get(0);
            assertThat(lock.get("name").asText()).isEqualTo("order-17");
            assertThat(lock.get("pid").asLong())
                    .isEqualTo(ProcessHandle.current().pid());
            assertThat(lock.get("thread").asText())
                    .isEqualTo(Thread.currentThread().getName());
            assertThat(lock.get("label").asText()).isEqualTo("trace 1");
            assertThat(lock.get("token").asText()).isEqualTo(Long.toString(lease.fencingToken()));
            assertThat(lock.get("leftMillis").asLong()).isBetween(1L, 30_000L);
            assertThat(lock.get("leaseMillis").asLong())
                    .isGreaterThanOrEqualTo(lock.get("leftMillis").asLong());
            lease.release();
            events.until(now -> now.get("held").asInt() == 0);
        }
    }

    @Test
    void listsTheOldestFirstAndSearchesNames() throws InterruptedException {
        for (String name : new String[] {"b-first", "a-second", "c-third"}) {
            other.lock(name).acquire();
        }
        try (Events events = watch("screen=now")) {
            JsonNode state = events.until(now -> now.get("held").asInt() == 3);
            assertThat(state.get("locks").findValuesAsText("name")).containsExactly("b-first", "a-second", "c-third");
        }
        try (Events events = watch("screen=now&search=SEC")) {
            JsonNode state = events.until(now -> now.get("held").asInt() == 3);
            assertThat(state.get("matching").asInt()).isEqualTo(1);
            assertThat(state.get("locks").findValuesAsText("name")).containsExactly("a-second");
        }
    }

    @Test
    void escapesHostileNamesAndFindsThemByTheirEscapes() throws InterruptedException {
        other.lock(HOSTILE).ownedBy("owner\n\u202E").acquire();
        try (Events events = watch("screen=now&search=%5Cu202e")) {
            JsonNode state = events.until(now -> now.get("held").asInt() == 1);
            JsonNode lock = state.get("locks").get(0);
            assertThat(lock.get("shown").asText()).isEqualTo(SHOWN);
            assertThat(lock.get("name").asText()).isEqualTo(HOSTILE);
            assertThat(lock.get("owner").asText()).isEqualTo("owner\\u000a\\u202e");
        }
    }

    @Test
    void showsTheQueueOfALockAndItsTenures() throws InterruptedException {
        Lease first = other.lock("job").acquire();
        CompletableFuture<Lease> waiter = leasehold.lock("job").acquireAsync().toCompletableFuture();
        try (Events events = watch("screen=lock&name=job")) {
            JsonNode state = events.until(now -> now.path("queue").size() == 1);
            JsonNode place = state.get("queue").get(0);
            assertThat(place.get("position").asInt()).isEqualTo(1);
            assertThat(place.get("wants").asText()).isEqualTo("lock");
            assertThat(place.get("pid").asLong())
                    .isEqualTo(ProcessHandle.current().pid());
            assertThat(place.get("alive").asBoolean()).isTrue();
            first.release();
            JsonNode after = events.until(now -> now.get("tenures").size() == 2);
            assertThat(after.get("tenures").get(0).get("token").asText())
                    .isEqualTo(Long.toString(waiter.join().fencingToken()));
            assertThat(after.get("tenures").get(0).get("held").asBoolean()).isTrue();
            assertThat(after.get("tenures").get(1).get("held").asBoolean()).isFalse();
            waiter.join().release();
            assertThat(events.until(now -> now.get("lock").isNull())
                            .get("tenures")
                            .get(0)
                            .get("held")
                            .asBoolean())
                    .isFalse();
        }
    }

    @Test
    void tellsHowBusyANameIs() throws InterruptedException {
        try (Events events = watch("screen=heat")) {
            events.until(state -> state.get("status").asText().equals("live"));
            Lease first = other.lock("busy").acquire();
            CompletableFuture<Lease> waiter =
                    leasehold.lock("busy").acquireAsync().toCompletableFuture();
            JsonNode waiting = events.until(
                    state -> state.get("heat").path(0).path("waiting").asInt() == 1);
            assertThat(waiting.get("heat").get(0).get("longestWaitMillis").asLong())
                    .isNotNegative();
            assertThat(waiting.get("heat").get(0).get("medianWaitMillis").asLong())
                    .isEqualTo(waiting.get("heat").get(0).get("tailWaitMillis").asLong());
            first.release();
            JsonNode heat = events.until(
                            state -> state.get("heat").path(0).path("handOffs").asDouble() > 0)
                    .get("heat")
                    .get(0);
            assertThat(heat.get("share").asDouble()).isBetween(0.01, 1.0);
            waiter.join().release();
        }
    }

    @Test
    void showsWhoWaitsForWhomAndTheDeadlock() throws InterruptedException {
        Thread one = acquiring("one", "a", "b");
        Thread two = acquiring("two", "b", "a");
        try (Events events = watch("screen=waits")) {
            JsonNode state = events.until(now -> now.get("deadlocks").size() == 1);
            assertThat(state.get("waiting").asInt()).isEqualTo(2);
            assertThat(state.get("deadlocks").get(0).get("certain").asBoolean()).isTrue();
            assertThat(state.get("deadlocks").get(0).get("stacks")).hasSize(2);
            assertThat(state.get("parties").findValuesAsText("thread")).containsExactlyInAnyOrder("one", "two");
            assertThat(state.get("waits")).allSatisfy(wait -> {
                int waiter = wait.get("waiter").asInt();
                assertThat(wait.get("holders").get(0).asInt()).isEqualTo(1 - waiter);
                assertThat(wait.get("deadlock").asInt()).isZero();
                String thread = state.get("parties").get(waiter).get("thread").asText();
                assertThat(wait.get("name").asText()).isEqualTo(thread.equals("one") ? "b" : "a");
            });
            one.interrupt();
            assertThat(events.until(now -> now.get("waiting").asInt() == 1).get("deadlocks"))
                    .isEmpty();
        } finally {
            one.interrupt();
            two.interrupt();
        }
    }

    /** Starts a thread that holds one lock and waits for another, which is held when this returns. */
    private Thread acquiring(String name, String held, String wanted) throws InterruptedException {
        CountDownLatch holds = new CountDownLatch(1);
        Thread thread = new Thread(
                () -> {
                    try {
                        other.lock(held).acquire();
                        holds.countDown();
                        await().atMost(LIMIT)
                                .until(() -> leasehold.lock(wanted).inspect().isPresent());
                        other.lock(wanted).acquire();
                    } catch (InterruptedException e) {
                        // The test ends.
                        Thread.currentThread().interrupt();
                    }
                },
                name);
        thread.start();
        holds.await();
        return thread;
    }

    @Test
    void showsWhatTheChecksOfTheServersFind() {
        try (Events events = watch("screen=servers")) {
            JsonNode state = events.until(now -> now.get("status").asText().equals("live"));
            assertThat(state.get("findings").findValuesAsText("subject")).contains("maxmemory-policy");
            assertThat(state.get("findings").findValuesAsText("level")).contains("fine");
        }
    }
}
