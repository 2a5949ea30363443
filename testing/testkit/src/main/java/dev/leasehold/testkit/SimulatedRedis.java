package dev.leasehold.testkit;

import dev.leasehold.spi.ChannelListener;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.ScriptCall;
import dev.leasehold.testkit.internal.ErrorReply;
import dev.leasehold.testkit.internal.Server;
import dev.leasehold.testkit.internal.StatusReply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One Redis server in memory, with real Lua 5.1, in a time that the test controls. It imitates Redis 7.0.15:
 * replies, errors, expiry, the sandbox of scripts. It supports the commands that locks and their tests need, hashes
 * and plain strings. It has no lists, sets, transactions, users or other databases.
 *
 * <p>Time does not pass while a command or script runs. Lua is a native library; on a platform without one, the
 * first script fails with an {@link IllegalStateException} that says so.
 *
 * <p>Safe for use by any thread, one command at a time. Faults take effect from the next command on.
 */
public final class SimulatedRedis implements AutoCloseable {

    private static final long NANOS_PER_MICRO = 1000;

    private final ReentrantLock lock = new ReentrantLock();
    private final Server server = new Server();
    private final LongSupplier micros;
    private final List<Runnable> onConnectionsLost = new CopyOnWriteArrayList<>();
    private long offsetMicros;
    private boolean closed;

    private SimulatedRedis(LongSupplier micros) {
        this.micros = micros;
    }

    /**
     * Creates an empty server.
     *
     * @param micros the source of the time, in microseconds since the epoch; the server's own clock may differ from
     *     it
     */
    public static SimulatedRedis create(LongSupplier micros) {
        return new SimulatedRedis(micros);
    }

    /** Creates an empty server that reads this clock. */
    public static SimulatedRedis create(ManualClock clock) {
        return new SimulatedRedis(clock::micros);
    }

    /**
     * Runs a command.
     *
     * @param args the command and its arguments
     * @return a String, Long, null, or a List of these
     * @throws RedisErrorException if the server answers with an error
     */
    public @Nullable Object execute(List<String> args) {
        return run(() -> server.execute(now(), args));
    }

    /**
     * Runs a script as EVALSHA does, and as EVAL if the server does not know it.
     *
     * @param call the script and its arguments; its timeout is ignored
     * @return the reply; a string as a list of one
     * @throws RedisErrorException if the server answers with an error
     * @throws IllegalStateException if the reply is neither a string nor a flat list of strings
     */
    public List<String> eval(ScriptCall call) {
        return eval(call, null);
    }

    /**
     * Runs a script in the same way over a connection with {@code CLIENT TRACKING ON OPTIN NOLOOP}, which does not hear of the changes
     * that the script makes.
     *
     * @param call the script and its arguments; its timeout is ignored
     * @param tracking stands for the connection; null if it tracks no keys
     * @return the reply; a string as a list of one
     * @throws RedisErrorException if the server answers with an error
     * @throws IllegalStateException if the reply is neither a string nor a flat list of strings
     */
    public List<String> eval(ScriptCall call, @Nullable Consumer<String> tracking) {
        Object reply = run(() ->
                server.eval(now(), call.script().sha1(), call.script().body(), call.keys(), call.args(), tracking));
        return strings(call, reply);
    }

    /**
     * Reads keys after {@code CLIENT CACHING YES}: of each, the next change by another connection is reported.
     *
     * @param keys the keys
     * @param tracking stands for the connection, and receives a key after the command that changes it, on its thread
     */
    public void track(List<String> keys, Consumer<String> tracking) {
        locked(() -> {
            server.track(keys, tracking);
            return keys;
        });
    }

    /**
     * Ends a connection that tracks keys. When the server restarts or fails over, all of them end.
     *
     * @param tracking stands for the connection
     */
    public void untrack(Consumer<String> tracking) {
        locked(() -> {
            server.untrack(tracking);
            return true;
        });
    }

    private @Nullable Object run(Supplier<@Nullable Object> command) {
        Object reply;
        List<Runnable> messages;
        lock.lock();
        try {
            if (closed) {
                throw new IllegalStateException("this simulated Redis is closed");
            }
            reply = command.get();
            messages = server.takeMessages();
        } finally {
            lock.unlock();
        }
        messages.forEach(Runnable::run);
        return plain(reply);
    }

    private static @Nullable Object plain(@Nullable Object reply) {
        if (reply instanceof ErrorReply error) {
            throw new RedisErrorException(error.message());
        }
        return nested(reply);
    }

    private static @Nullable Object nested(@Nullable Object reply) {
        if (reply instanceof StatusReply status) {
            return status.text();
        }
        if (reply instanceof ErrorReply error) {
            return error.message();
        }
        if (reply instanceof List<?> list) {
            List<@Nullable Object> plain = new ArrayList<>(list.size());
            list.forEach(item -> plain.add(nested(item)));
            return plain;
        }
        return reply;
    }

    private static List<String> strings(ScriptCall call, @Nullable Object reply) {
        if (reply instanceof String text) {
            return List.of(text);
        }
        if (!(reply instanceof List<?> list)) {
            throw new IllegalStateException("script " + call.script().name() + " returned no list but " + reply);
        }
        List<String> strings = new ArrayList<>(list.size());
        for (Object item : list) {
            if (!(item instanceof String text)) {
                throw new IllegalStateException(
                        "script " + call.script().name() + " returned " + reply + ", which is no flat list of strings");
            }
            strings.add(text);
        }
        return strings;
    }

    private long now() {
        return micros.getAsLong() + offsetMicros;
    }

    /** Returns the server's TIME, in microseconds. */
    public long micros() {
        return locked(this::now);
    }

    /** Steps the server's clock. Keys whose expiry then is in the past are gone. */
    public void stepClock(Duration step) {
        locked(() -> offsetMicros += step.toNanos() / NANOS_PER_MICRO);
    }

    /** Deletes a key as an eviction under memory pressure would. */
    public void evict(String key) {
        Object unused = run(() -> {
            server.evict(now(), key);
            return key;
        });
    }

    /**
     * Sets whether the memory is used up. Commands that may need more are then refused with OOM, in a script only
     * until it has written something.
     */
    public void outOfMemory(boolean full) {
        locked(() -> {
            server.outOfMemory(full);
            return full;
        });
    }

    /**
     * Makes the next commands, scripts among them, do nothing and answer with an error.
     *
     * @param commands the number of commands
     * @param error the reply, such as {@code LOADING Redis is loading the dataset in memory}
     */
    public void failNext(int commands, String error) {
        locked(() -> {
            server.failNext(commands, error);
            return error;
        });
    }

    /** Makes the server forget all scripts, as after SCRIPT FLUSH. */
    public void flushScripts() {
        locked(() -> {
            server.flushScripts();
            return true;
        });
    }

    /**
     * Restarts the server: scripts and connections are lost.
     *
     * @param keepData whether its keys are kept, as in an append-only file
     */
    public void restart(boolean keepData) {
        locked(() -> {
            server.restart(keepData);
            return keepData;
        });
        onConnectionsLost.forEach(Runnable::run);
    }

    /**
     * Fails over to a replica: scripts, connections and the writes that it has not received are lost. A script
     * counts as one command, and so does the deletion of an expired key.
     *
     * @param lostWrites the number of the latest writing commands that it has not received, at most 1000
     * @param clockOffset the offset of its clock from the time that was given to {@link #create}
     */
    public void failOver(int lostWrites, Duration clockOffset) {
        locked(() -> {
            server.failOver(lostWrites);
            offsetMicros = clockOffset.toNanos() / NANOS_PER_MICRO;
            return true;
        });
        onConnectionsLost.forEach(Runnable::run);
    }

    /**
     * Returns the number of writing commands so far, as {@link #failOver} counts them, whatever was lost since. A replica that has
     * received all but the last of them would lose one.
     */
    public long writes() {
        return locked(server::writes);
    }

    /** Returns the keys that have not expired, in alphabetical order. */
    public Set<String> keys() {
        return locked(() -> server.keys(now()));
    }

    /** Returns a copy of the hash under a key, its fields in insertion order; empty if there is none. */
    public Map<String, String> hash(String key) {
        return locked(() -> server.hash(now(), key));
    }

    /**
     * Returns the expiry of a key by the server's clock, in ms since the epoch; -1 if it has none, -2 if there is
     * no such key.
     */
    public long expiresAtMillis(String key) {
        return locked(() -> server.expiresAtMillis(now(), key));
    }

    /**
     * Subscribes to a channel. Messages are delivered on the publisher's thread after its command.
     *
     * @param channel the channel
     * @param listener the receiver of every message
     * @return a handle that ends the subscription
     */
    public AutoCloseable subscribe(String channel, ChannelListener listener) {
        locked(() -> {
            server.subscribe(channel, listener);
            return true;
        });
        return () -> locked(() -> {
            server.unsubscribe(channel, listener);
            return true;
        });
    }

    /** Registers a listener that runs when all connections break. */
    void onConnectionsLost(Runnable listener) {
        onConnectionsLost.add(listener);
    }

    void forget(Runnable listener) {
        onConnectionsLost.remove(listener);
    }

    private <T> T locked(Supplier<T> work) {
        lock.lock();
        try {
            return work.get();
        } finally {
            lock.unlock();
        }
    }

    /** Ends the server: from now on commands fail with {@link IllegalStateException}. */
    @Override
    public void close() {
        locked(() -> closed = true);
    }
}
