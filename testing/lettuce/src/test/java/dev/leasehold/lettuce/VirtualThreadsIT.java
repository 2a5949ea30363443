package dev.leasehold.lettuce;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.DistributedLock;
import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.WithRedis;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ten thousand virtual threads contend on a hundred names, over one client. */
@Tag("jdk25")
@WithRedis
class VirtualThreadsIT {

    private static final int THREADS = 10_000;
    private static final int NAMES = 100;
    private static final long LIMIT_MINUTES = 3;
    private static final String PINNED = "jdk.VirtualThreadPinned";

    private final EmbeddedRedis redis;
    private final Queue<Throwable> troubles = new ConcurrentLinkedQueue<>();
    private final AtomicInteger served = new AtomicInteger();

    @TempDir
    Path directory;

    VirtualThreadsIT(EmbeddedRedis redis) {
        this.redis = redis;
    }

    @Test
    void allAreServedOneAtATimeAndNoneHoldsItsCarrier() throws Exception {
        try (Leasehold leasehold = Leasehold.connect(redis.uri());
                Recording recording = new Recording()) {
            // Classes are loaded before, those for recorded events too, because loading them holds the carrier; also
            // those of steps
            // that are too rare to be met here.
            loadClasses();
            try (Recording unused = new Recording()) {
                unused.start();
                contend(leasehold, NAMES * 5);
            }
            served.set(0);
            recording.enable(PINNED).withoutThreshold().withStackTrace();
            recording.start();
            contend(leasehold, THREADS);
            recording.stop();
            assertThat(troubles).isEmpty();
            assertThat(served).hasValue(THREADS);
            assertThat(pinned(recording)).isEmpty();
        }
    }

    private void contend(Leasehold leasehold, int number) throws Exception {
        List<AtomicInteger> inside =
                IntStream.range(0, NAMES).mapToObj(i -> new AtomicInteger()).toList();
        ExecutorService threads = virtualThreads();
        for (int i = 0; i < number; i++) {
            int name = i % NAMES;
            threads.execute(() -> pass(leasehold.lock("name-" + name), inside.get(name)));
        }
        threads.shutdown();
        boolean over = threads.awaitTermination(LIMIT_MINUTES, TimeUnit.MINUTES);
        threads.shutdownNow();
        assertThat(over).as("all served; %s were", served).isTrue();
    }

    private void pass(DistributedLock lock, AtomicInteger inside) {
        try (Lease lease = lock.acquire()) {
            if (inside.incrementAndGet() != 1) {
                troubles.add(new AssertionError("two at a time: " + lease));
            }
            Thread.yield();
            inside.decrementAndGet();
            served.incrementAndGet();
        } catch (InterruptedException | RuntimeException e) {
            troubles.add(e);
        }
    }

    private static void loadClasses() throws Exception {
        Path core = Path.of(Leasehold.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        try (FileSystem jar = FileSystems.newFileSystem(core);
                Stream<Path> files = Files.walk(jar.getPath("/dev/leasehold/internal"))) {
            List<String> classes = files.map(
                            file -> file.toString().substring(1).replace('/', '.'))
                    .filter(file -> file.endsWith(".class") && !file.contains("package-info"))
                    .map(file -> file.substring(0, file.length() - ".class".length()))
                    .toList();
            assertThat(classes).contains("dev.leasehold.internal.wait.QueuePositions");
            for (String name : classes) {
                Class.forName(name);
            }
        }
    }

    /** By reflection: the tests are compiled for JDK 17. */
    private static ExecutorService virtualThreads() throws ReflectiveOperationException {
        return (ExecutorService)
                Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    }

    private List<RecordedEvent> pinned(Recording recording) throws IOException {
        Path file = directory.resolve("pinned.jfr");
        recording.dump(file);
        assertThat(Files.size(file)).isPositive();
        return RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().equals(PINNED))
                .toList();
    }
}
