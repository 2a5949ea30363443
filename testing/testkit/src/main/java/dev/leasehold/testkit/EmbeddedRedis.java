package dev.leasehold.testkit;

import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A real redis-server on a free port of the loopback address, for tests and demonstrations.
 *
 * <p>The server is the static one inside {@code org.signal:embedded-redis}, or the redis-server or valkey-server
 * that the system property or environment variable {@code LEASEHOLD_REDIS_SERVER} names (a path, a command on the
 * PATH, or {@code classpath:} and a resource). It ends with {@link #close()}, and also when this JVM ends in any
 * way, SIGKILL included; its temporary files are deleted with it. It needs a POSIX system, because a shell between
 * the JVM and the server ensures that.
 *
 * <p>Every program of this machine reaches the port. The server therefore has a random password unless the builder
 * sets another or none. {@link #uri()} contains it.
 *
 * <p>Thread-safe. Methods that change the server's state wait for one another; {@link #command} does not wait for
 * them.
 *
 * <pre>{@code
 * try (EmbeddedRedis redis = EmbeddedRedis.start()) {
 *     connect(redis.uri());
 *     redis.pause();
 * }
 * }</pre>
 */
public final class EmbeddedRedis implements AutoCloseable {

    /** The ACL user as which the testkit itself logs in, whatever a test does to the default user. */
    static final String ADMIN = "leasehold-testkit";

    private final ReentrantLock state = new ReentrantLock();
    private final RedisInstallation installation;
    private final RedisAdmin admin;
    private volatile RedisProcess process;
    private volatile boolean paused;
    private volatile boolean closed;

    private EmbeddedRedis(RedisInstallation installation, RedisProcess process) {
        this.installation = installation;
        this.process = process;
        this.admin = installation.admin();
    }

    /**
     * Starts a server with the defaults of {@link #builder()} and waits until it answers.
     *
     * @throws EmbeddedRedisException if it does not start; the message contains its log
     */
    public static EmbeddedRedis start() {
        return builder().start();
    }

    /** Returns a builder with the defaults: free port, random password, no TLS, nothing saved to disk. */
    public static EmbeddedRedisBuilder builder() {
        return new EmbeddedRedisBuilder();
    }

    static EmbeddedRedis start(EmbeddedRedisBuilder builder) {
        RedisInstallation.Started started = RedisInstallation.start(builder);
        return new EmbeddedRedis(started.installation(), started.process());
    }

    /**
     * Returns the URI for the default user: {@code redis://} or {@code rediss://}, with the password if there is
     * one.
     */
    public String uri() {
        return installation.uri(null, installation.password());
    }

    /** Returns the password of the default user; null if the server accepts clients without one. */
    public @Nullable String password() {
        return installation.password();
    }

    /** Returns the URI for this ACL user. */
    public String uri(String user, String password) {
        return installation.uri(user, password);
    }

    /**
     * Returns the URI of the Unix socket for the default user, in Lettuce's syntax: {@code redis-socket://} with
     * the password if there is one, and the path. It stays the same over restarts.
     *
     * @throws IllegalStateException if the server was not built with {@link EmbeddedRedisBuilder#unixSocket()}
     */
    public String socketUri() {
        return installation.socketUri();
    }

    /** Returns the loopback address on which the server listens. */
    public String host() {
        return RedisInstallation.HOST;
    }

    /** Returns the port for clients. It stays the same over restarts. */
    public int port() {
        return installation.port();
    }

    /** Returns the process id of the server's current or last run. */
    public long pid() {
        return process.pid();
    }

    /** Returns whether the server's process exists. A paused process does. */
    public boolean isRunning() {
        return !closed && process.isAlive();
    }

    /** Returns whether the server was stopped by {@link #pause()} and has not been resumed since. */
    public boolean isPaused() {
        return isRunning() && paused;
    }

    /** Returns the server's log so far, over all restarts that kept its files. */
    public String log() {
        return installation.log() + process.output();
    }

    /** Ends the server by SIGKILL. Unsaved data is lost; {@link #restart()} starts the server again. */
    public void kill() {
        change(() -> {
            process.kill();
            paused = false;
        });
    }

    /** Ends the server by SIGTERM, which makes it save if it is configured to; by SIGKILL if that takes over 10 s. */
    public void stop() {
        change(() -> {
            process.terminate();
            paused = false;
        });
    }

    /**
     * Stops the server's process (SIGSTOP): its connections stay open and no request is answered.
     *
     * @throws EmbeddedRedisException if the server does not run
     */
    public void pause() {
        change(() -> {
            process.signal("STOP");
            paused = true;
        });
    }

    /**
     * Resumes a paused server (SIGCONT). Has no effect on a server that is not paused.
     *
     * @throws EmbeddedRedisException if the server does not run
     */
    public void resume() {
        change(() -> {
            process.signal("CONT");
            paused = false;
        });
    }

    /**
     * Restarts the server on its port, with its data. A running server first saves everything. A killed server has
     * the data of its append-only file or last snapshot.
     *
     * @throws EmbeddedRedisException if it does not start again; the message contains its log
     */
    public void restart() {
        change(() -> {
            if (process.isAlive()) {
                resume();
                if (installation.hasData()) {
                    admin.saveAll();
                }
                process.kill();
            }
            startAgain();
        });
    }

    /**
     * Restarts the server on its port, without any data, like a machine that lost its disk.
     *
     * @throws EmbeddedRedisException if it does not start again; the message contains its log
     */
    public void restartEmpty() {
        change(() -> {
            process.kill();
            installation.deleteData();
            startAgain();
        });
    }

    private void startAgain() {
        RedisProcess last = process;
        RedisProcess next = installation.run();
        process = next;
        paused = false;
        // Only now: at every moment there must be a wrapper that deletes the files if this JVM dies.
        last.keepFiles();
        last.close();
        installation.awaitReady(next);
    }

    /**
     * Sends one command over its own connection, as a user with all permissions.
     *
     * @return the answer: a String, a Long, a List of these, or null
     * @throws RedisReplyException if the server answers with an error
     * @throws EmbeddedRedisException if it does not answer within 10 s
     */
    public @Nullable Object command(String... args) {
        requireOpen();
        return admin.command(args);
    }

    /** Returns the answer of INFO for one section, such as {@code memory}, or {@code everything}: field to value. */
    public Map<String, String> info(String section) {
        requireOpen();
        return admin.info(section);
    }

    /**
     * Returns the number of executions of each command since the start or {@link #resetStats()}, by its name in
     * lower case; a subcommand is {@code config|get}. Commands called by scripts count too, rejected commands do
     * not. Commands sent through this object are left out.
     */
    public Map<String, Long> commandCounts() {
        requireOpen();
        return admin.commandCounts();
    }

    /** Resets the counts of {@link #commandCounts()} and all other statistics of INFO to zero. */
    public void resetStats() {
        requireOpen();
        admin.resetStats();
    }

    /** Deletes all keys of all databases. */
    public void flush() {
        command("FLUSHALL");
    }

    /** Returns how many bytes of its replication stream the server has written or applied. */
    long replicationOffset() {
        return Long.parseLong(info("replication").getOrDefault("master_repl_offset", "0"));
    }

    /** Ends the server by SIGKILL and deletes its temporary files. Idempotent. */
    @Override
    public void close() {
        state.lock();
        try {
            if (!closed) {
                closed = true;
                process.close();
                installation.deleteFiles();
            }
        } finally {
            state.unlock();
        }
    }

    @Override
    public String toString() {
        return "EmbeddedRedis[" + host() + ":" + port() + ", pid " + pid() + (closed ? ", closed]" : "]");
    }

    private void change(Runnable action) {
        state.lock();
        try {
            requireOpen();
            action.run();
        } finally {
            state.unlock();
        }
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException(this + " has been closed; start a new one.");
        }
    }

    /** Sends these commands as one transaction; each command has to answer OK. */
    void transaction(List<String[]> commands) {
        requireOpen();
        admin.transaction(commands);
    }

    /** Returns whether the server can answer a command: it runs and is not paused. */
    boolean isReachable() {
        return isRunning() && !paused;
    }

    /** Makes the server usable again after a test paused, killed or filled it. For the JUnit extension. */
    void reset(boolean flush) {
        change(() -> {
            if (!process.isAlive()) {
                restartEmpty();
            } else if (paused) {
                resume();
            }
            if (flush) {
                flush();
            }
        });
    }
}
