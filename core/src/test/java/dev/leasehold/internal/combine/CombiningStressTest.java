package dev.leasehold.internal.combine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.Holder;
import dev.leasehold.internal.key.KeyPrefix;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.script.CombinedScript;
import dev.leasehold.internal.store.AcquireFreeLock;
import dev.leasehold.internal.store.LeaseSpan;
import dev.leasehold.internal.store.ReleaseHold;
import dev.leasehold.internal.store.ServerTime;
import dev.leasehold.internal.store.TokenFloor;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.TimeSource;
import dev.leasehold.spi.TransportException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many threads at once: every request is sent once, or again only where it was not run, and gets its own answer. */
class CombiningStressTest {

    private static final int THREADS = 8;
    private static final int REQUESTS = 5_000;
    private static final long TIMEOUT = TimeUnit.MINUTES.toNanos(5);
    private static final LeaseSpan LEASE = new LeaseSpan(1);

    private final FakeStore server = new FakeStore();
    private final BlockingQueue<FakeStore.Sent<?>> arrived = new LinkedBlockingQueue<>();
    private final AtomicInteger runs = new AtomicInteger();
    private final AtomicInteger combined = new AtomicInteger();

    /** Answers calls as they come, on one thread; some are refused as a whole, some have no answer. */
    private void serve() {
        int number = 0;
        try {
            while (true) {
                FakeStore.Sent<?> call = arrived.take();
                number++;
                boolean many = call.request instanceof CombinedScript.Request;
                if (many && number % 11 == 0) {
                    call.completeExceptionally(new RedisErrorException("NOPERM"));
                    continue;
                }
                runs.addAndGet(call.names().size());
                combined.addAndGet(many ? 1 : 0);
                if (number % 17 == 0) {
                    call.completeExceptionally(new TransportException("lost", true, null));
                } else {
                    call.answerAll();
                }
            }
        } catch (InterruptedException over) {
            Thread.currentThread().interrupt();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void noRequestIsLostOrRunTwiceAndNoneGetsTheAnswerOfAnother(int mostCalls) throws Exception {
        server.onSend = arrived::add;
        CombiningStore store = new CombiningStore(server, request -> true, TimeSource.system(), () -> mostCalls);
        Thread serving = new Thread(this::serve, "server");
        serving.start();
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        List<Future<?>> all = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
            int number = thread;
            all.add(threads.submit(() -> use(store, number)));
        }
        for (Future<?> each : all) {
            each.get(5, TimeUnit.MINUTES);
        }
        threads.shutdown();
        serving.interrupt();
        serving.join();
        assertThat(runs).hasValue(THREADS * REQUESTS * 2);
        assertThat(combined.get()).as("combined calls").isPositive();
    }

    private Void use(CombiningStore store, int thread) throws Exception {
        LockKey key = LockKey.of(new KeyPrefix("leasehold"), "lock-" + thread);
        for (int n = 0; n < REQUESTS; n++) {
            AcquisitionId id = new AcquisitionId("id-" + thread + "-" + n);
            long token = thread * 1_000_000L + n;
            CompletableFuture<?> acquired = store.send(new AcquireFreeLock(
                    key, id, LEASE, ServerTime.NONE, new TokenFloor(token), new Holder("", "", ""), TIMEOUT));
            CompletableFuture<?> released = store.send(new ReleaseHold(key, id, LEASE, true, ServerTime.NONE, TIMEOUT));
            assertThat(outcome(acquired)).isIn("lost", "token=" + token);
            assertThat(outcome(released)).isIn("lost", "RELEASED");
        }
        return null;
    }

    private static String outcome(CompletableFuture<?> answer) throws Exception {
        try {
            String text = answer.get(5, TimeUnit.MINUTES).toString();
            return text.contains("RELEASED") ? "RELEASED" : text.replaceAll(".*\\b(token=\\d+).*", "$1");
        } catch (ExecutionException e) {
            return String.valueOf(e.getCause().getMessage());
        }
    }
}
