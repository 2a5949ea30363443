package dev.leasehold.lettuce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.WithRedis;
import io.lettuce.core.RedisClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.slf4j.LoggerFactory;

/** Nobody is warned of what closing a client does. */
@WithRedis
@Isolated("it reads the log of Lettuce")
class ClosingIT {

    private static final int TIMES = 10;

    private final EmbeddedRedis redis;
    private final Logger lettuce = (Logger) LoggerFactory.getLogger("io.lettuce");
    private final Level before = lettuce.getLevel();
    private final ListAppender<ILoggingEvent> logged = new ListAppender<>();

    ClosingIT(EmbeddedRedis redis) {
        this.redis = redis;
    }

    @BeforeEach
    void listen() {
        logged.start();
        lettuce.setLevel(Level.WARN);
        lettuce.addAppender(logged);
    }

    @AfterEach
    void stopListening() {
        lettuce.detachAppender(logged);
        lettuce.setLevel(before);
    }

    private List<String> warnings() {
        return logged.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    @Test
    void aClientOfItsOwn() throws InterruptedException {
        for (int i = 0; i < TIMES; i++) {
            try (Leasehold leasehold = Leasehold.connect(redis.uri());
                    Lease lease = leasehold.lock("a").acquire()) {
                assertThat(lease.isHeld()).isTrue();
            }
        }
        assertThat(warnings()).isEmpty();
    }

    /** Netty closes sockets after the client; on Linux alone a process can list them. */
    @Test
    void aClosedClientLeavesNoSocket() {
        long before = sockets();
        for (int i = 0; i < TIMES; i++) {
            Leasehold.connect(redis.uri()).close();
        }
        await().atMost(Duration.ofSeconds(60)).until(() -> sockets() <= before);
    }

    private static long sockets() {
        try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
            return files.filter(ClosingIT::isSocket).count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isSocket(Path file) {
        try {
            return Files.readSymbolicLink(file).toString().startsWith("socket");
        } catch (IOException e) {
            // Closed since it was listed.
            return false;
        }
    }

    @Test
    void aLentClient() throws InterruptedException {
        for (int i = 0; i < TIMES; i++) {
            RedisClient client = RedisClient.create(redis.uri());
            try (Leasehold leasehold = Leasehold.builder()
                            .transport(LettuceTransport.over(client))
                            .build();
                    Lease lease = leasehold.lock("a").acquire()) {
                assertThat(lease.isHeld()).isTrue();
            }
            client.shutdown();
        }
        assertThat(warnings()).isEmpty();
    }
}
