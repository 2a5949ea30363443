package dev.leasehold.internal.redis.blocking;

import dev.leasehold.spi.PushListener;
import dev.leasehold.spi.RedisAddress;
import dev.leasehold.spi.RedisCommand;
import dev.leasehold.spi.RedisConnection;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.TransportException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Makes of a blocking connection for subscriptions one that answers later: any thread sends, and a daemon thread reads. A
 * connection of a pool ends with its last subscription, so that the pool gets it back whole.
 */
public final class ListeningConnection implements RedisConnection {

    private final RedisConnection over;
    private final PushListener listener;
    private final String address;
    private final boolean pooled;

    private final AtomicBoolean started = new AtomicBoolean();

    /** Held while a thread writes. */
    private final ReentrantLock lock = new ReentrantLock();

    /** The commands without a reply. Redis answers them in this order. Guarded by the lock. */
    private final Deque<RedisCommand> pending = new ArrayDeque<>();

    private volatile @Nullable String end;

    /**
     * Starts no thread before the first subscription.
     *
     * @param over the blocking connection
     * @param pooled whether it ends with its last subscription
     */
    public ListeningConnection(RedisConnection over, PushListener listener, String address, boolean pooled) {
        this.over = over;
        this.listener = listener;
        this.address = address;
        this.pooled = pooled;
    }

    @Override
    public void send(List<? extends RedisCommand> commands, long timeoutNanos) {
        List<RedisCommand> unsent = new ArrayList<>(0);
        lock.lock();
        try {
            for (RedisCommand command : commands) {
                if (end == null) {
                    write(command);
                } else {
                    unsent.add(command);
                }
            }
            start();
        } finally {
            lock.unlock();
        }
        if (end != null) {
            // Upon which the reading thread ends.
            over.abandon();
        }
        unsent.forEach(command -> command.failed(failure(false)));
    }

    private void write(RedisCommand command) {
        pending.add(command);
        command.written();
        try {
            over.write(command.words());
        } catch (RuntimeException e) {
            ended(String.valueOf(e.getMessage()));
        }
    }

    private void start() {
        if (started.compareAndSet(false, true)) {
            Thread thread = new Thread(this::run, "leasehold-subscriptions " + address);
            thread.setDaemon(true);
            thread.start();
        }
    }

    private void run() {
        boolean whole = false;
        try {
            while (!whole) {
                whole = receive() == 0 && isOver();
            }
        } catch (RuntimeException e) {
            ended(String.valueOf(e.getMessage()));
        }
        finish(whole);
    }

    /** Reads a reply or message; returns how many subscriptions are left, if a reply says so. */
    private long receive() {
        Object reply;
        try {
            reply = over.read();
        } catch (RedisErrorException e) {
            RedisCommand refused = next();
            if (refused == null) {
                throw e;
            }
            refused.failed(e);
            return 1;
        }
        if (!(reply instanceof List<?> push) || push.size() < 3) {
            return 1;
        }
        String channel = String.valueOf(push.get(1));
        switch (String.valueOf(push.get(0))) {
            case "message", "smessage" -> listener.message(channel, String.valueOf(push.get(2)));
            case "subscribe", "ssubscribe" -> answer(next());
            case "unsubscribe", "sunsubscribe" -> {
                RedisCommand command = nextIfUnsubscribing(channel);
                listener.unsubscribed(channel);
                answer(command);
                return push.get(2) instanceof Long left ? left : 1;
            }
            default -> {}
        }
        return 1;
    }

    private static void answer(@Nullable RedisCommand command) {
        if (command != null) {
            command.answered(null);
        }
    }

    private @Nullable RedisCommand next() {
        lock.lock();
        try {
            return pending.poll();
        } finally {
            lock.unlock();
        }
    }

    /** A server ends the subscription to a sharded channel by itself when it loses the slot. */
    private @Nullable RedisCommand nextIfUnsubscribing(String channel) {
        lock.lock();
        try {
            RedisCommand next = pending.peek();
            boolean requested = next != null
                    && next.words().get(0).endsWith("UNSUBSCRIBE")
                    && next.words().get(1).equals(channel);
            return requested ? pending.poll() : null;
        } finally {
            lock.unlock();
        }
    }

    private boolean isOver() {
        lock.lock();
        try {
            if (!pooled || !pending.isEmpty()) {
                return false;
            }
            ended("its last subscription has ended");
            return true;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean isOpen() {
        return end == null && over.isOpen();
    }

    @Override
    public RedisAddress server() {
        return over.server();
    }

    @Override
    public void close() {
        ended("it was closed");
        if (started.compareAndSet(false, true)) {
            finish(true);
        } else {
            over.abandon();
        }
    }

    private void ended(String reason) {
        end = end == null ? reason : end;
    }

    private void finish(boolean whole) {
        List<RedisCommand> unanswered;
        lock.lock();
        try {
            unanswered = List.copyOf(pending);
            pending.clear();
        } finally {
            lock.unlock();
        }
        if (whole) {
            over.close();
        } else {
            over.abandon();
        }
        unanswered.forEach(command -> command.failed(failure(true)));
        listener.closed(String.valueOf(end));
    }

    private TransportException failure(boolean maybeExecuted) {
        return new TransportException("the connection to Redis at " + address + " was closed", maybeExecuted, null);
    }
}
