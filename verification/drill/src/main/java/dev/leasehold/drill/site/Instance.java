package dev.leasehold.drill.site;

import dev.leasehold.drill.app.ServiceApplication;
import dev.leasehold.testkit.FreePorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** An instance of the service in a JVM of its own, which keeps its name, port and log when it is started again. */
public final class Instance implements AutoCloseable {

    /** The lease of all locks. Short, so that a drill need not wait for 30 s; see the report for the alerts. */
    public static final Duration LEASE = Duration.ofSeconds(15);

    /** The default of 2 s is shorter than a busy machine may make a process wait. */
    private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(5);

    private static final Duration MAXIMUM = Duration.ofMinutes(2).dividedBy(Site.SHORTER);

    private static final long EXIT_SECONDS = 120;
    /** The exit status of a JVM that has run its shutdown hooks after SIGTERM. */
    private static final int TERMINATED = 143;

    private final String name;
    private final int port = FreePorts.next();
    private final Path log;
    private final RedisSite redis;
    private @Nullable Process process;

    Instance(String name, Path directory, RedisSite redis) {
        this.name = name;
        this.log = directory.resolve(name + ".log");
        this.redis = redis;
    }

    /** Returns its name. */
    public String name() {
        return name;
    }

    int port() {
        return port;
    }

    /** Returns the address of its web server. */
    URI uri() {
        return URI.create("http://127.0.0.1:" + port);
    }

    /** Starts the JVM, and does not wait for it. */
    public void start() {
        try {
            process = new ProcessBuilder(command())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start " + name, e);
        }
    }

    private List<String> command() {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx96m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                "-Xshare:auto",
                "-Ddrill.log=INFO",
                "-cp",
                System.getProperty("java.class.path"),
                ServiceApplication.class.getName(),
                "--drill.instance=" + name,
                "--drill.user=" + RedisSite.USER,
                "--drill.password-file=" + redis.passwordFile(),
                "--server.address=127.0.0.1",
                "--server.port=" + port,
                "--spring.main.banner-mode=off",
                "--spring.application.name=drill",
                "--spring.data.redis.sentinel.master=" + redis.primaryName(),
                "--spring.data.redis.sentinel.nodes=" + redis.sentinels(),
                "--spring.data.redis.client-name=drill-" + name,
                "--leasehold.client-name=" + name,
                "--leasehold.lock.lease-time=" + LEASE.toMillis() + "ms",
                "--leasehold.command-timeout=" + COMMAND_TIMEOUT.toMillis() + "ms",
                // As where pods may start before Redis; on a busy machine, Redis may be the one that is late.
                "--leasehold.start-without-redis=true",
                // So that the drill can wait until nothing is left.
                "--leasehold.remember-tokens=2s",
                "--management.endpoints.web.exposure.include=health,prometheus",
                "--management.endpoint.health.show-details=always",
                // A maximum is forgotten after 2 min by default: as many times faster as the windows of alerts are
                // shorter.
                "--management.metrics.distribution.expiry.leasehold=" + MAXIMUM.toMillis() + "ms",
                "--spring.data.redis.repositories.enabled=false");
    }

    /**
     * Sends SIGTERM and waits for the end. Not by {@link Process#destroy}, which also closes the standard input, and so pulls the leash.
     *
     * @throws IOException if the signal cannot be sent
     * @throws InterruptedException if interrupted
     */
    public void terminate() throws IOException, InterruptedException {
        signal("TERM");
        await();
        if (running().exitValue() != TERMINATED) {
            throw new IllegalStateException(name + " ended with " + running().exitValue() + " after SIGTERM");
        }
    }

    /** Sends SIGKILL and waits for the end. */
    public void kill() {
        running().destroyForcibly();
        await();
    }

    private void await() {
        try {
            if (!running().waitFor(EXIT_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException(name + " does not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while " + name + " ended", e);
        }
    }

    /**
     * Sends a signal.
     *
     * @param signal such as STOP
     * @throws IOException if it cannot be sent
     * @throws InterruptedException if interrupted
     */
    public void signal(String signal) throws IOException, InterruptedException {
        int status = new ProcessBuilder(
                        "kill", "-" + signal, Long.toString(running().pid()))
                .inheritIO()
                .start()
                .waitFor();
        if (status != 0) {
            throw new IOException("kill -" + signal + " failed with " + status);
        }
    }

    private Process running() {
        Process started = process;
        if (started == null) {
            throw new IllegalStateException(name + " was not started");
        }
        return started;
    }

    /** Returns all lines that it has logged since its first start. */
    List<String> lines() {
        try {
            return Files.exists(log)
                    ? Files.readString(log, StandardCharsets.UTF_8).lines().toList()
                    : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        Process started = process;
        if (started != null) {
            started.destroyForcibly();
        }
        FreePorts.release(port);
    }
}
