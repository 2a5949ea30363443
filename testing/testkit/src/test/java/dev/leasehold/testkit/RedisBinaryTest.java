package dev.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.testkit.internal.PrivateDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RedisBinaryTest {

    private static final String RESOURCE = "redis-server-7.0.15-" + RedisBinary.platform();

    @TempDir
    private Path temp;

    @Test
    void isExtractedOnceAndPrivately() throws IOException {
        Path directory = PrivateDirectory.in(temp);
        Path first = RedisBinary.extract(RESOURCE, directory);
        Object written = Files.getLastModifiedTime(first);

        assertThat(RedisBinary.extract(RESOURCE, PrivateDirectory.in(temp))).isEqualTo(first);
        assertThat(Files.getLastModifiedTime(first)).isEqualTo(written);
        assertThat(first).isExecutable();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory)))
                .isEqualTo("rwx------");
    }

    @Test
    void isCompleteForAllWhenManyExtractItAtOnce() throws Exception {
        Path directory = PrivateDirectory.in(temp);
        long size = Files.size(RedisBinary.extract(RESOURCE, Files.createDirectory(temp.resolve("reference"))));
        int threads = 8;
        CyclicBarrier together = new CyclicBarrier(threads);
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            List<Future<Long>> sizes = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                sizes.add(executor.submit(() -> {
                    together.await();
                    return Files.size(RedisBinary.extract(RESOURCE, directory));
                }));
            }
            for (Future<Long> seen : sizes) {
                assertThat(seen.get()).isEqualTo(size);
            }
        } finally {
            executor.shutdownNow();
        }
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files).hasSize(1);
        }
    }

    @Test
    void aTruncatedFileIsReplaced() throws IOException {
        Path target = RedisBinary.extract(RESOURCE, temp);
        long size = Files.size(target);
        Files.write(target, new byte[10]);
        assertThat(Files.size(RedisBinary.extract(RESOURCE, temp))).isEqualTo(size);
    }

    @Test
    void aCacheDirectoryThatOthersMayWriteToIsNotTrusted() throws IOException {
        Path directory = PrivateDirectory.in(temp);
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));

        Path other = PrivateDirectory.in(temp);

        assertThat(other).isNotEqualTo(directory);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(other)))
                .isEqualTo("rwx------");
        assertThat(PrivateDirectory.in(temp)).isEqualTo(other);
    }

    @Test
    void aLinkInPlaceOfTheCacheDirectoryIsNotTrusted() throws IOException {
        Path directory = PrivateDirectory.in(temp);
        Path elsewhere = temp.resolve("elsewhere");
        Files.move(directory, elsewhere);
        Files.createSymbolicLink(directory, elsewhere);

        assertThat(PrivateDirectory.in(temp)).isNotEqualTo(directory);
    }

    @Test
    void aNamedServerMayLieOnTheClassPath() throws IOException {
        Path packed = RedisBinary.named("classpath:" + RESOURCE);
        assertThat(packed).isExecutable().isEqualTo(RedisBinary.locate());
        assertThatThrownBy(() -> RedisBinary.named("classpath:no-such-server"))
                .isInstanceOf(EmbeddedRedisException.class)
                .hasMessageContaining("no-such-server")
                .hasMessageContaining("LEASEHOLD_REDIS_SERVER");
    }

    @Test
    void onlyRedisBefore7NeedsNoLeaveForDebug() throws IOException {
        assertThat(RedisBinary.forbidsDebug(RedisBinary.locate())).isTrue();
        assertThat(RedisBinary.forbidsDebug(thatSays("Redis server v=6.2.11 sha=00000000:0 bits=64")))
                .isFalse();
        assertThat(RedisBinary.forbidsDebug(thatSays("Redis server v=10.0.1 sha=00000000:0 bits=64")))
                .isTrue();
        assertThat(RedisBinary.forbidsDebug(thatSays("Valkey server v=8.0.1 sha=00000000:0 bits=64")))
                .isTrue();
    }

    private Path thatSays(String version) throws IOException {
        Path server = Files.createTempFile(temp, "server", null);
        Files.writeString(server, "#!/bin/sh\necho '" + version + "'\n");
        Files.setPosixFilePermissions(server, PosixFilePermissions.fromString("rwx------"));
        return server;
    }

    @Test
    void aNamedServerMustBeExecutable() throws IOException {
        Path file = Files.createFile(temp.resolve("no-server"));
        assertThatThrownBy(() -> RedisBinary.named(file.toString()))
                .isInstanceOf(EmbeddedRedisException.class)
                .hasMessageContaining("LEASEHOLD_REDIS_SERVER")
                .hasMessageContaining(file.toString());
        assertThatThrownBy(() -> RedisBinary.named("no-such-server")).hasMessageContaining("no-such-server");
        assertThat(RedisBinary.named("sh")).isExecutable();
    }
}
