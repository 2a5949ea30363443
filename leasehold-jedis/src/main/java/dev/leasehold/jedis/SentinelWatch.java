package dev.leasehold.jedis;

import dev.leasehold.spi.ConnectionSettings;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.RedisNode;
import dev.leasehold.spi.RedisSentinels;
import dev.leasehold.spi.RedisServer;
import dev.leasehold.spi.TransportException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.ClientSetInfoConfig;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.RedisProtocol;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.util.SafeEncoder;

/**
 * One thread that asks Sentinels for the primary: every second, and immediately when a caller could not reach it, at
 * most ten times a second. They are asked one after another until most of all say the same; one that did not answer
 * within {@value #PATIENCE_MILLIS} ms is asked after the others from then on. If most cannot be heard, what most of the
 * rest say is believed.
 */
final class SentinelWatch {

    static final int PATIENCE_MILLIS = 300;

    private static final Logger LOG = LoggerFactory.getLogger(SentinelWatch.class);
    private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long SHORTEST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final ConnectionSettings settings;
    private final RedisSentinels named;
    private final Consumer<RedisNode> onAnswer;
    private final Consumer<RuntimeException> onSilence;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    /** Guarded by the lock, as the next. */
    private boolean asked;

    private boolean closed;

    /** In the order in which they are asked. Used by the thread only. */
    private final List<Sentinel> sentinels = new ArrayList<>();

    SentinelWatch(
            ConnectionSettings settings,
            RedisSentinels named,
            Consumer<RedisNode> onAnswer,
            Consumer<RuntimeException> onSilence) {
        this.settings = settings;
        this.named = named;
        this.onAnswer = onAnswer;
        this.onSilence = onSilence;
        named.sentinels().forEach(each -> sentinels.add(new Sentinel(each)));
    }

    void begin() {
        Thread thread = new Thread(this::run, "leasehold-jedis-sentinels " + settings.address());
        thread.setDaemon(true);
        thread.start();
    }

    /** Called when a caller has reason to believe that the primary has changed. */
    void askNow() {
        lock.lock();
        try {
            asked = true;
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    void close() {
        lock.lock();
        try {
            closed = true;
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        do {
            try {
                RedisNode answer = ask();
                onAnswer.accept(answer);
            } catch (TransportException | RedisErrorException e) {
                LOG.debug("No sentinel of {} names a primary", named, e);
                onSilence.accept(e);
            }
        } while (goesOn());
        sentinels.forEach(Sentinel::end);
    }

    /** Waits for the next question; false at the end. */
    private boolean goesOn() {
        lock.lock();
        try {
            long least = SHORTEST_NANOS;
            while (!closed && least > 0) {
                least = changed.awaitNanos(least);
            }
            long left = PERIOD_NANOS - SHORTEST_NANOS;
            while (!closed && !asked && left > 0) {
                left = changed.awaitNanos(left);
            }
            asked = false;
            return !closed;
        } catch (InterruptedException e) {
            // An interrupt requests the end of this thread.
            return false;
        } finally {
            lock.unlock();
        }
    }

    private RedisNode ask() {
        Map<RedisNode, Integer> votes = new HashMap<>();
        RuntimeException last = null;
        for (Sentinel sentinel : List.copyOf(sentinels)) {
            try {
                RedisNode primary = sentinel.ask();
                if (primary != null && votes.merge(primary, 1, Integer::sum) > sentinels.size() / 2) {
                    return primary;
                }
            } catch (TransportException | RedisErrorException e) {
                last = last instanceof RedisErrorException ? last : e;
                sentinels.remove(sentinel);
                sentinels.add(sentinel);
            }
        }
        RuntimeException reason = last;
        return votes.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey)
                .orElseThrow(() -> reason != null ? reason : unknown());
    }

    private TransportException unknown() {
        return new TransportException(
                "the sentinels at " + settings.address() + " know no primary called " + named.primaryName()
                        + "; is sentinelMasterId right?",
                false,
                null);
    }

    /** One sentinel with a connection that is kept. Used by the thread only. */
    private final class Sentinel {
        private final RedisServer server;
        private @Nullable Connection connection;

        Sentinel(RedisServer server) {
            this.server = server;
        }

        /** Returns the primary that it names; null if it does not know the name. */
        @Nullable
        RedisNode ask() {
            try {
                Connection open = connected();
                Object reply = open.executeCommand(new CommandArguments(Protocol.Command.SENTINEL)
                        .add("GET-MASTER-ADDR-BY-NAME")
                        .add(named.primaryName()));
                if (reply instanceof List<?> address && address.size() == 2) {
                    return new RedisNode(text(address.get(0)), Integer.parseInt(text(address.get(1))), true);
                }
                return null;
            } catch (JedisDataException e) {
                throw Failures.refusal(e);
            } catch (JedisException e) {
                end();
                throw Failures.unsent(e, RedisSentinels.address(server));
            }
        }

        private String text(Object bytes) {
            return SafeEncoder.encode((byte[]) bytes);
        }

        private Connection connected() {
            Connection open = connection;
            if (open == null) {
                open = new Connection(
                        new Sockets(server, settings.tls(), PATIENCE_MILLIS),
                        DefaultJedisClientConfig.builder()
                                .protocol(RedisProtocol.RESP2)
                                .user(server.user())
                                .password(server.password())
                                .clientName(settings.clientName())
                                .clientSetInfoConfig(ClientSetInfoConfig.DISABLED)
                                .socketTimeoutMillis(PATIENCE_MILLIS)
                                .build());
                connection = open;
            }
            return open;
        }

        void end() {
            Connection last = connection;
            connection = null;
            if (last != null) {
                OwnedConnections.disconnect(last);
            }
        }
    }
}
