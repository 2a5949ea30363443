package dev.leasehold.lettuce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.testkit.EmbeddedRedisExtension;
import io.lettuce.core.RedisClient;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Locks in what depends on a command of Lettuce, which runs on an I/O thread of the client that Leasehold shares. */
class EventLoopIT {

    @RegisterExtension
    static final EmbeddedRedisExtension SERVER = EmbeddedRedisExtension.perClass();

    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final RedisClient client = RedisClient.create(SERVER.uri());
    private Leasehold leasehold;

    @BeforeEach
    void connect() {
        leasehold = Leasehold.builder().transport(LettuceTransport.over(client)).build();
    }

    @AfterEach
    void close() {
        leasehold.close();
        client.shutdown();
    }

    /** A stage that completes on an I/O thread, where the given action runs after it. */
    private CompletableFuture<Void> onIoThread(Runnable action) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        CompletionStage<?> unused = client.connect().async().blpop(30, "list").thenAccept(value -> {
            try {
                action.run();
                done.complete(null);
            } catch (RuntimeException | Error e) {
                done.completeExceptionally(e);
            }
        });
        SERVER.server().command("LPUSH", "list", "element");
        return done;
    }

    @Test
    void anAcquisitionThatBlocksIsRefused() {
        Lease other = leasehold.lock("held").tryAcquire().orElseThrow();
        assertThat(onIoThread(() -> leasehold.lock("refused").tryAcquire()))
                .failsWithin(LIMIT)
                .withThrowableThat()
                .withCauseInstanceOf(IllegalStateException.class)
                .withMessageContaining("would block the event loop 'lettuce-");
        assertThat(leasehold.lock("refused").inspect()).isEmpty();
        assertThat(other.isHeld()).isTrue();
    }

    @Test
    void aLeaseIsReleasedThere() {
        Lease lease = leasehold.lock("closed").tryAcquire().orElseThrow();
        assertThat(onIoThread(lease::close)).succeedsWithin(LIMIT);
        assertThat(lease.isHeld()).isFalse();
        await().atMost(LIMIT).until(() -> leasehold.lock("closed").inspect().isEmpty());
    }

    @Test
    void theAsynchronousFormAcquiresThere() {
        CompletableFuture<Boolean> held = new CompletableFuture<>();
        CompletableFuture<Void> begun =
                onIoThread(() -> leasehold.lock("async").acquireAsync().thenAccept(lease -> {
                    held.complete(lease.isHeld());
                    lease.close();
                }));
        assertThat(begun).succeedsWithin(LIMIT);
        assertThat(held).succeedsWithin(LIMIT).isEqualTo(true);
    }
}
