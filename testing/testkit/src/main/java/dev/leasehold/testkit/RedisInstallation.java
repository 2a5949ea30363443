package dev.leasehold.testkit;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The files, ports and settings that stay the same over all runs of one embedded server. */
final class RedisInstallation {

    static final String HOST = "127.0.0.1";

    private static final int PORT_TRIES = 20;
    private static final Duration START_LIMIT = Duration.ofSeconds(30);

    /** A server that answers. */
    record Started(RedisInstallation installation, RedisProcess process) {}

    private final Path binary;
    private final Map<String, String> environment;
    private final boolean unixSocket;
    private final boolean tls;
    private final boolean sentinel;
    private final @Nullable String password;
    private final int port;
    private final Path work;
    private final Path data;
    private final RedisAdmin admin;

    private RedisInstallation(EmbeddedRedisBuilder settings) throws IOException {
        Path named = settings.executable();
        this.binary = named == null ? RedisBinary.locate() : RedisBinary.executable(named, named.toString());
        this.environment = settings.environment();
        this.unixSocket = settings.hasUnixSocket();
        this.tls = settings.isTls();
        this.sentinel = settings.isSentinel();
        this.password = settings.password();
        ClusterMembership cluster = settings.cluster();
        this.port =
                settings.port() != 0 ? settings.port() : cluster == null ? FreePorts.next() : FreePorts.nextWithBus();
        int adminPort = tls ? FreePorts.next() : port;
        this.work = Files.createTempDirectory("leasehold-redis-");
        Path directory = settings.directory();
        this.data = directory == null ? Files.createDirectory(work.resolve("data")) : directory;
        String adminPassword = settings.adminPassword();
        this.admin = new RedisAdmin(HOST, adminPort, adminPassword);
        // Contains passwords: not readable for other users of this machine.
        Path config = Files.createFile(
                work.resolve("redis.conf"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(
                config,
                settings.render(port, adminPort, data, work.resolve("redis.log"), adminPassword)
                        + settings.allowingDebug(binary));
        if (cluster != null) {
            Files.writeString(data.resolve(ClusterMembership.FILE), cluster.firstFile(port));
        }
    }

    static Started start(EmbeddedRedisBuilder settings) {
        int tries = settings.port() == 0 ? PORT_TRIES : 1;
        for (int i = 1; ; i++) {
            RedisInstallation installation = create(settings);
            RedisProcess process = installation.firstRun();
            try {
                installation.awaitReady(process);
                return new Started(installation, process);
            } catch (RuntimeException | Error e) {
                boolean portTaken = installation.log().contains("in use");
                process.close();
                installation.deleteFiles();
                if (!portTaken || i == tries) {
                    throw e;
                }
            }
        }
    }

    private static RedisInstallation create(EmbeddedRedisBuilder settings) {
        try {
            return new RedisInstallation(settings);
        } catch (IOException e) {
            throw new EmbeddedRedisException(
                    "The files of an embedded redis-server could not be written to java.io.tmpdir: " + e, e);
        }
    }

    private RedisProcess firstRun() {
        try {
            return run();
        } catch (RuntimeException notStarted) {
            // There is no wrapper that would delete them.
            deleteFiles();
            throw notStarted;
        }
    }

    RedisProcess run() {
        admin.serverRestarted();
        String config = work.resolve("redis.conf").toString();
        return RedisProcess.start(
                binary, work, environment, sentinel ? List.of(config, "--sentinel") : List.of(config));
    }

    /**
     * Waits until the server answers and has loaded its data. Another server that has taken the port meanwhile does
     * not know the password.
     */
    void awaitReady(RedisProcess process) {
        long start = System.nanoTime();
        String last = "nothing";
        while (System.nanoTime() - start < START_LIMIT.toNanos()) {
            if (process.awaitEnd(2, TimeUnit.MILLISECONDS)) {
                throw failed("ended at once", process);
            }
            try {
                last = String.valueOf(admin.send("INFO"));
                if (sentinel || last.contains("\nloading:0\r\n")) {
                    return;
                }
            } catch (IOException | RedisReplyException notYet) {
                last = notYet.toString();
            }
        }
        throw failed("did not answer within " + START_LIMIT.toSeconds() + " s (last: " + last + ")", process);
    }

    private EmbeddedRedisException failed(String how, RedisProcess process) {
        return new EmbeddedRedisException("The redis-server " + binary + " on port " + port + " " + how
                + ". It wrote:\n" + process.output() + log());
    }

    int port() {
        return port;
    }

    /** Returns whether the server has data. A sentinel has none, and saves its own state itself. */
    boolean hasData() {
        return !sentinel;
    }

    @Nullable
    String password() {
        return password;
    }

    RedisAdmin admin() {
        return admin;
    }

    String uri(@Nullable String user, @Nullable String password) {
        return (tls ? "rediss://" : "redis://") + login(user, password) + HOST + ":" + port;
    }

    /** Returns the socket's URI in Lettuce's syntax. */
    String socketUri() {
        if (!unixSocket) {
            throw new IllegalStateException("This server has no Unix socket; build it with unixSocket().");
        }
        return "redis-socket://" + login(null, password) + EmbeddedRedisBuilder.socketBeside(work.resolve("redis.log"));
    }

    private static String login(@Nullable String user, @Nullable String password) {
        return password == null ? "" : encode(user == null ? "" : user) + ":" + encode(password) + "@";
    }

    static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    String log() {
        Path log = work.resolve("redis.log");
        try {
            return Files.exists(log) ? Files.readString(log) : "";
        } catch (IOException e) {
            return "(its log cannot be read: " + e + ")\n";
        }
    }

    /** Deletes the server's saved data: its snapshot and its append-only files, nothing else. */
    void deleteData() {
        for (String name : List.of("dump.rdb", "appendonlydir", "appendonly.aof")) {
            TemporaryFiles.deleteTree(data.resolve(name));
        }
    }

    /** Deletes the files. The wrapper has deleted them already, unless it was killed. */
    void deleteFiles() {
        TemporaryFiles.deleteTree(work);
    }
}
