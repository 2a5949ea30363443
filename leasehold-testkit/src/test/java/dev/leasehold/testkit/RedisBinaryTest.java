package dev.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
        Path directory = RedisBinary.cacheDirectory(temp);
        Path first = RedisBinary.extract(RESOURCE, directory);
        Object written = Files.getLastModifiedTime(first);

        assertThat(RedisBinary.extract(RESOURCE, RedisBinary.cacheDirectory(temp)))
                .isEqualTo(first);
        assertThat(Files.getLastModifiedTime(first)).isEqualTo(written);
        assertThat(first).isExecutable();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory)))
                .isEqualTo("rwx------");
    }

    @Test
    void isWholeForEveryoneWhenManyExtractItAtOnce() throws Exception {
        Path directory = RedisBinary.cacheDirectory(temp);
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
    void aTruncatedOneIsReplaced() throws IOException {
        Path target = RedisBinary.extract(RESOURCE, temp);
        long size = Files.size(target);
        Files.write(target, new byte[10]);
        assertThat(Files.size(RedisBinary.extract(RESOURCE, temp))).isEqualTo(size);
    }

    @Test
    void aCacheDirectoryThatOthersMayWriteToIsNotTrusted() throws IOException {
        Path directory = RedisBinary.cacheDirectory(temp);
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));

        Path other = RedisBinary.cacheDirectory(temp);

        assertThat(other).isNotEqualTo(directory);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(other)))
                .isEqualTo("rwx------");
        assertThat(RedisBinary.cacheDirectory(temp)).isEqualTo(other);
    }

    @Test
    void aLinkInPlaceOfTheCacheDirectoryIsNotTrusted() throws IOException {
        Path directory = RedisBinary.cacheDirectory(temp);
        Path elsewhere = temp.resolve("elsewhere");
        Files.move(directory, elsewhere);
        Files.createSymbolicLink(directory, elsewhere);

        assertThat(RedisBinary.cacheDirectory(temp)).isNotEqualTo(directory);
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
