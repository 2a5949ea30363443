package dev.leasehold.chaos.soak;

import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.EmbeddedRedisException;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Samples the processes, the server and the machine at regular intervals, into a file. */
public final class Sampler implements AutoCloseable {

    private static final long KIB = 1024;
    private static final long PER_MILLE = 1000;
    private static final long PER_CENT = 100;

    private final CountDownLatch closed = new CountDownLatch(1);
    private final Supplier<Map<String, Map<String, Long>>> processes;
    private final EmbeddedRedis server;
    private final BufferedWriter file;
    private final Thread thread;
    private final long begun = System.nanoTime();
    private final Map<Long, Duration> used = new HashMap<>();
    private long usedAt;

    /**
     * Begins.
     *
     * @param directory the directory of the run
     * @param every the interval
     * @param processes measures each process, by name
     * @param server the server
     */
    public Sampler(
            Path directory, Duration every, Supplier<Map<String, Map<String, Long>>> processes, EmbeddedRedis server) {
        this.processes = processes;
        this.server = server;
        try {
            file = Files.newBufferedWriter(directory.resolve(Samples.FILE));
            about(LocalDate.now(ZoneOffset.UTC).toString());
            about(Runtime.getRuntime().availableProcessors() + " cores shared by clients and server, "
                    + System.getProperty("os.name") + " " + System.getProperty("os.arch") + ", JDK "
                    + System.getProperty("java.version") + ", Redis "
                    + server.info("server").getOrDefault("redis_version", "of unknown version") + " over loopback");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        processor();
        thread = new Thread(() -> sample(every), "sampler of resources");
        thread.start();
    }

    private void about(String text) throws IOException {
        file.write(Samples.ABOUT + "\t" + text + "\n");
    }

    private void sample(Duration every) {
        try {
            while (!closed.await(every.toNanos(), TimeUnit.NANOSECONDS)) {
                long second = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun);
                for (var process : processes.get().entrySet()) {
                    for (var figure : process.getValue().entrySet()) {
                        add(second, process.getKey() + " " + figure.getKey(), figure.getValue());
                    }
                }
                server(second);
                add(second, "all processor", processor());
                double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
                add(second, "machine load", Math.round(load * PER_CENT));
                file.flush();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void server(long second) throws IOException {
        if (!server.isRunning() || server.isPaused()) {
            return;
        }
        try {
            add(second, "server", server.info("clients"), "connected_clients", "connections", 1);
            add(second, "server", server.info("clients"), "tracking_total_keys", "tracked", 1);
            add(second, "server", server.info("stats"), "tracking_total_keys", "tracked", 1);
            add(second, "server", server.info("memory"), "used_memory", "memory", KIB);
            add(second, "server", server.info("memory"), "number_of_cached_scripts", "scripts", 1);
            if (server.command("DBSIZE") instanceof Long keys) {
                add(second, "server keys", keys);
            }
        } catch (EmbeddedRedisException | IllegalStateException e) {
            // A fault affects it just now.
        }
    }

    private void add(long second, String subject, Map<String, String> info, String name, String figure, long unit)
            throws IOException {
        String value = info.get(name);
        if (value != null) {
            add(second, subject + " " + figure, Long.parseLong(value) / unit);
        }
    }

    private void add(long second, String series, long value) throws IOException {
        file.write(second + "\t" + series + "\t" + value + "\n");
    }

    /** Returns the time of this process and of those that it has started, since the last call, per mille of the time. */
    private long processor() {
        Duration sum = Duration.ZERO;
        ProcessHandle own = ProcessHandle.current();
        for (ProcessHandle one :
                Stream.concat(Stream.of(own), own.descendants()).toList()) {
            Duration now = one.info().totalCpuDuration().orElse(Duration.ZERO);
            Duration before = used.put(one.pid(), now);
            // Another process may have the number of one that has died.
            sum = sum.plus(before == null || before.compareTo(now) > 0 ? now : now.minus(before));
        }
        long at = System.nanoTime();
        long perMille = sum.toNanos() * PER_MILLE / Math.max(1, at - usedAt);
        usedAt = at;
        return perMille;
    }

    @Override
    public void close() throws InterruptedException {
        closed.countDown();
        thread.join();
        try {
            file.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
