package dev.leasehold.internal.redis.blocking;

import dev.leasehold.internal.redis.path.CommandPath;
import dev.leasehold.internal.redis.path.Failures;
import dev.leasehold.internal.redis.path.PendingCommand;
import dev.leasehold.internal.redis.path.ServerRoute;
import dev.leasehold.internal.redis.path.SilenceLimit;
import dev.leasehold.spi.ConnectorInfo;
import dev.leasehold.spi.RedisCommand;
import dev.leasehold.spi.RedisConnection;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.TimeSource;
import dev.leasehold.spi.TransportException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends commands over one blocking connection on a thread of its own, so that no caller blocks. What is sent while the
 * thread waits for replies goes with its next flush.
 */
final class BatchThreadPath implements CommandPath {

    private static final Logger LOG = LoggerFactory.getLogger("dev.leasehold.connections");

    /**
     * The amount of data that is sent before replies are read. It fits into the buffers of the system, so that writing,
     * for which blocking clients know no timeout, does not block on a connection that is dead.
     */
    private static final int FLUSH_CHARACTERS = 32_000;

    private final ServerRoute route;
    private final TimeSource time;
    private final long connectTimeoutNanos;
    private final boolean waitsForReplicas;
    private final SilenceLimit silenceLimit = new SilenceLimit();
    private final KeptConnection connection;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition work = lock.newCondition();

    /** Guarded by the lock, like all below. */
    private List<List<Queued>> queue = new ArrayList<>();

    private boolean started;
    private @Nullable String closed;

    private record Queued(PendingCommand<?> command, long deadline) {}

    /**
     * Connects to nothing yet.
     *
     * @param waitsForReplicas whether the last of the commands that are sent together waits for replicas: then these have
     *     a flush of their own, and their callers decide when the server has been silent for too long
     */
    BatchThreadPath(ServerRoute route, ConnectorInfo info, TimeSource time, boolean waitsForReplicas) {
        this.route = route;
        this.time = time;
        this.waitsForReplicas = waitsForReplicas;
        connectTimeoutNanos = info.connectTimeout().toNanos();
        connection = new KeptConnection(route, info, time, silenceLimit);
    }

    @Override
    public void send(PendingCommand<?> command, long timeoutNanos) {
        send(List.of(command), timeoutNanos);
    }

    @Override
    public void send(List<? extends PendingCommand<?>> commands, long timeoutNanos) {
        long deadline = time.nanoTime() + timeoutNanos;
        List<Queued> group = new ArrayList<>(commands.size());
        commands.forEach(command -> group.add(new Queued(command, deadline)));
        String refused;
        lock.lock();
        try {
            refused = closed;
            if (refused == null) {
                queue.add(group);
                start();
                work.signal();
            }
        } finally {
            lock.unlock();
        }
        if (refused != null) {
            fail(group, BlockingConnect.unavailable(route, refused, null));
        }
    }

    private void start() {
        if (!started) {
            started = true;
            Thread thread = new Thread(this::run, "leasehold-batches " + route.address());
            thread.setDaemon(true);
            thread.start();
        }
    }

    private void run() {
        for (List<List<Queued>> groups = next(); !groups.isEmpty(); groups = next()) {
            (waitsForReplicas ? groups : divided(groups)).forEach(this::flush);
        }
    }

    /** Waits for commands; returns none after the path was closed. */
    private List<List<Queued>> next() {
        lock.lock();
        try {
            while (queue.isEmpty() && closed == null) {
                work.awaitUninterruptibly();
            }
            return takeAll();
        } finally {
            lock.unlock();
        }
    }

    private List<List<Queued>> takeAll() {
        List<List<Queued>> all = queue;
        queue = new ArrayList<>();
        return all;
    }

    /** Divides all commands into flushes of limited size. */
    private static List<List<Queued>> divided(List<List<Queued>> groups) {
        List<List<Queued>> flushes = new ArrayList<>();
        List<Queued> flush = new ArrayList<>();
        int size = 0;
        for (List<Queued> group : groups) {
            for (Queued each : group) {
                int more =
                        each.command().words().stream().mapToInt(String::length).sum();
                if (size + more > FLUSH_CHARACTERS && !flush.isEmpty()) {
                    flushes.add(flush);
                    flush = new ArrayList<>();
                    size = 0;
                }
                flush.add(each);
                size += more;
            }
        }
        flushes.add(flush);
        return flushes;
    }

    private void flush(List<Queued> flush) {
        try {
            List<Queued> wanted = wanted(flush);
            if (!wanted.isEmpty()) {
                exchange(wanted);
            }
        } catch (TransportException | RedisErrorException e) {
            fail(flush, e);
        } catch (RuntimeException | Error e) {
            LOG.error("a bug in Leasehold: a batch was given up", e);
            fail(flush, new TransportException("no answer from Redis at " + route.address(), true, e));
            restart("it is in an unknown state");
        }
    }

    /** Leaves out the commands for which no caller waits any more, or will when they are answered. */
    private List<Queued> wanted(List<Queued> flush) {
        long now = time.nanoTime();
        List<Queued> wanted = new ArrayList<>(flush.size());
        for (Queued each : flush) {
            if (each.deadline() - now <= 0) {
                each.command()
                        .failed(new TransportException(
                                "no command could be sent to Redis at " + route.address() + " in time", false, null));
            } else if (!each.command().isDone()) {
                wanted.add(each);
            }
        }
        return wanted;
    }

    private void exchange(List<Queued> wanted) {
        long now = time.nanoTime();
        long longest =
                wanted.stream().mapToLong(each -> each.deadline() - now).max().orElseThrow();
        RedisConnection over = connected(longest);
        wanted.removeIf(each -> each.command() instanceof Opening opening && opening.complete(null));
        if (wanted.isEmpty()) {
            return;
        }
        long limit = waitsForReplicas ? longest : silenceLimit.nanos(longest);
        long sentAt = time.nanoTime();
        List<Sent> commands = new ArrayList<>(wanted.size());
        ExchangeCarrier carrier = new ExchangeCarrier(over, sentAt);
        for (Queued each : wanted) {
            each.command().sentOver(carrier, 0, sentAt);
            commands.add(new Sent(each.command()));
        }
        connection.send(over, commands, limit);
        judge(over, commands, time.nanoTime() - sentAt, limit, longest);
    }

    private RedisConnection connected(long longestNanos) {
        try {
            return connection.open(longestNanos);
        } catch (RuntimeException e) {
            if (!isClosed()) {
                route.troubled();
            }
            throw e;
        }
    }

    private void judge(RedisConnection over, List<Sent> commands, long took, long limit, long longest) {
        TransportException loss = null;
        for (Sent each : commands) {
            loss = loss == null && each.failure instanceof TransportException failure ? failure : loss;
            if (Failures.isFormerPrimary(each.failure)) {
                over.abandon();
            }
        }
        if (loss == null) {
            silenceLimit.answered(took, longest);
        } else {
            if (took >= limit) {
                silenceLimit.silent(longest);
            }
            over.abandon();
            if (!isClosed()) {
                route.troubled();
                LOG.warn(
                        "The connection to Redis at {} for batches is replaced: {}",
                        route.address(),
                        loss.getMessage());
            }
        }
    }

    private boolean isClosed() {
        lock.lock();
        try {
            return closed != null;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean isConnected() {
        return connection.isOpen();
    }

    @Override
    public CompletionStage<?> open() {
        Opening opening = new Opening();
        send(opening, connectTimeoutNanos);
        return opening;
    }

    @Override
    public void restart(String reason) {
        connection.restart();
    }

    @Override
    public void close(String reason) {
        List<List<Queued>> unsent;
        lock.lock();
        try {
            closed = closed == null ? reason : closed;
            unsent = takeAll();
            work.signal();
        } finally {
            lock.unlock();
        }
        connection.close(reason);
        unsent.forEach(group -> fail(group, BlockingConnect.unavailable(route, reason, null)));
    }

    /** Fails the commands that are not complete. */
    private static void fail(List<Queued> commands, RuntimeException failure) {
        commands.stream()
                .filter(each -> !each.command().isDone())
                .forEach(each -> each.command().failed(failure));
    }

    /** Is complete when the connection is open, and is never sent. */
    private static final class Opening extends PendingCommand<@Nullable Void> {
        Opening() {
            super(List.of());
        }

        @Override
        protected void replied(@Nullable Object reply) {
            complete(null);
        }
    }

    /**
     * Judges a connection whose server may wait for replicas: if a caller stops waiting and nothing has arrived, only
     * the caller can know that the server is silent.
     */
    private final class ExchangeCarrier implements PendingCommand.Carrier {
        private final RedisConnection over;
        private final long sentAt;
        private volatile boolean ended;

        ExchangeCarrier(RedisConnection over, long sentAt) {
            this.over = over;
            this.sentAt = sentAt;
        }

        @Override
        public void answered(PendingCommand<?> command) {
            ended = true;
        }

        @Override
        public void unanswered(PendingCommand<?> command) {
            if (!ended && time.nanoTime() - sentAt >= SilenceLimit.FLOOR_NANOS) {
                over.abandon();
            }
        }
    }

    /** Remembers how a command failed. Used by the thread only. */
    private static final class Sent implements RedisCommand {
        private final PendingCommand<?> command;
        private @Nullable RuntimeException failure;

        Sent(PendingCommand<?> command) {
            this.command = command;
        }

        @Override
        public List<String> words() {
            return command.words();
        }

        @Override
        public void answered(@Nullable Object reply) {
            command.answered(reply);
        }

        @Override
        public void failed(RuntimeException reason) {
            failure = reason;
            command.failed(reason);
        }
    }
}
