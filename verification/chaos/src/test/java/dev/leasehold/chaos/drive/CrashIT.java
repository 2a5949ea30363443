package dev.leasehold.chaos.drive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.chaos.work.Contender.Held;
import dev.leasehold.chaos.work.Contender.Wish;
import dev.leasehold.chaos.work.LeaseholdContender;
import dev.leasehold.testkit.EmbeddedRedis;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Hazard 21: a server that crashes, with all its writes, and without the end of its append-only file. */
class CrashIT {

    private static final String NAME = "mutex-crash";
    private static final int TOLD_SECONDS = 30;

    @TempDir
    Path data;

    private EmbeddedRedis redis;
    private LeaseholdContender holder;
    private LeaseholdContender other;

    @BeforeEach
    void start() {
        redis = EmbeddedRedis.builder()
                .appendOnly()
                .config("appendfsync", "always")
                .directory(data)
                .start();
        holder = new LeaseholdContender(List.of(redis.uri()), 0, false, false, deadlock -> {});
        other = new LeaseholdContender(List.of(redis.uri()), 0, false, false, deadlock -> {});
    }

    @AfterEach
    void end() {
        holder.close();
        other.close();
        redis.close();
    }

    /** After SIGKILL the system still writes everything. */
    @Test
    void withAFileThatIsSyncedAtEachWriteACrashLosesNothing() throws Exception {
        Held held = acquire(holder, Duration.ofMinutes(2));

        redis.kill();
        redis.restart();

        assertThat(other.acquire(new Wish(NAME, Duration.ofMinutes(2), true, false, Duration.ZERO)))
                .isNull();
        assertThat(held.held()).isTrue();
        assertThat(held.release()).isTrue();
    }

    /** Like a power failure where the disk did not keep its promise, or was not asked to sync. */
    @Test
    void aHolderLearnsThatTheEndOfTheFileWasLostAndItsTokenIsExceeded() throws Exception {
        long before = Files.size(file());
        CountDownLatch reported = new CountDownLatch(1);
        Held held = acquire(holder, Duration.ofSeconds(3));
        held.onLost(cause -> reported.countDown());

        redis.kill();
        try (FileChannel file = FileChannel.open(file(), StandardOpenOption.WRITE)) {
            assertThat(file.size()).isGreaterThan(before);
            file.truncate(before);
        }
        redis.restart();
        Held next = acquire(other, Duration.ofMinutes(2));

        assertThat(next.token()).isGreaterThan(held.token());
        assertThat(reported.await(TOLD_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(held.held()).isFalse();
        assertThat(next.held()).isTrue();
    }

    private static Held acquire(LeaseholdContender by, Duration lease) throws Exception {
        return Objects.requireNonNull(by.acquire(new Wish(NAME, lease, true, false, Duration.ofSeconds(10))));
    }

    private Path file() {
        try (Stream<Path> files = Files.walk(data)) {
            return files.filter(path -> path.toString().endsWith(".incr.aof"))
                    .findFirst()
                    .orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
