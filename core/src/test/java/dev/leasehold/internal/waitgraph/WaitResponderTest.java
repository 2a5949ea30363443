package dev.leasehold.internal.waitgraph;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.LockOptions;
import dev.leasehold.internal.connect.ServerQueries;
import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.KeyPrefix;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.lease.LeaseTable;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spi.TimeSource;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Everybody with the right to publish on the channels of wake-ups can ask a client. */
class WaitResponderTest {

    private static final KeyPrefix PREFIX = new KeyPrefix("app");

    private final AtomicLong now = new AtomicLong();
    private final List<Runnable> tasks = new ArrayList<>();
    private final List<String> published = new ArrayList<>();
    private final LeaseTable leases = new LeaseTable(() -> new AcquisitionId("acquisition"), forgotten -> {});

    private final TimeSource time = new TimeSource() {
        @Override
        public long nanoTime() {
            return now.get();
        }

        @Override
        public long wallMillis() {
            return 0;
        }
    };

    private final RedisTransport transport = (RedisTransport) Proxy.newProxyInstance(
            RedisTransport.class.getClassLoader(), new Class<?>[] {RedisTransport.class}, (self, method, arguments) -> {
                assertThat(method.getName()).isEqualTo("command");
                published.add(((List<?>) arguments[1]).get(2).toString());
                return CompletableFuture.completedFuture(1L);
            });

    private WaitResponder responder(boolean sharesStacks) {
        return new WaitResponder(
                PREFIX,
                new LocalWaits("17@host", leases, time),
                new ServerQueries(transport, Duration.ofSeconds(1)),
                time,
                tasks::add,
                sharesStacks);
    }

    private static String question(int number) {
        return new WaitQuestion(
                        "number" + number,
                        "app:w:reply",
                        Set.of(Thread.currentThread().getId()))
                .text();
    }

    private void ask(WaitResponder responder, int questions) {
        for (int i = 0; i < questions; i++) {
            responder.message(question(i));
        }
    }

    /** The executor of callbacks makes a thread for each of its tasks. */
    @Test
    void tooManyQuestionsReachNoThread() {
        WaitResponder responder = responder(false);
        ask(responder, 10_000);
        assertThat(tasks).hasSize(20);
        now.addAndGet(Duration.ofSeconds(1).toNanos());
        ask(responder, 10_000);
        assertThat(tasks).hasSize(40);
    }

    @Test
    void whatIsNoQuestionReachesNoThreadAndSpendsNoAnswer() {
        WaitResponder responder = responder(false);
        for (int i = 0; i < 1_000; i++) {
            responder.message("waits");
            responder.message("waits number app:w:reply" + " ".repeat(10_000));
            responder.message("waits " + "n".repeat(10_000) + " app:w:reply");
        }
        assertThat(tasks).isEmpty();
        ask(responder, 1);
        assertThat(tasks).hasSize(1);
    }

    @Test
    void answersHaveNoStacksUnlessTheClientSharesThem() {
        leases.add(LockKey.of(PREFIX, "a"), null, LockOptions.defaults(), Thread.currentThread(), false)
                .begunAt(0);
        for (boolean shares : new boolean[] {false, true}) {
            ask(responder(shares), 1);
            tasks.forEach(Runnable::run);
            tasks.clear();
        }
        assertThat(published).hasSize(2).allMatch(text -> text.contains("app:%7Ba%7D"));
        assertThat(published.get(0)).doesNotContain("\ns ", getClass().getSimpleName());
        assertThat(published.get(1)).contains("\ns ", getClass().getSimpleName());
    }
}
