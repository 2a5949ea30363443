package dev.leasehold.internal.connect;

import dev.leasehold.LockUnavailableException;
import dev.leasehold.internal.key.Names;
import dev.leasehold.internal.store.ServerTime;
import dev.leasehold.internal.time.TimeText;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.RedisNode;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spi.ServerDescription;
import dev.leasehold.spi.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Sends plain commands and waits for their replies: for connecting and inspecting, never for lock operations. */
public final class ServerQueries {

    private static final long MICROS_PER_SECOND = 1_000_000;
    private static final int SCAN_COUNT = 500;
    private static final Pattern NUMBER = Pattern.compile("\\d{1,12}");

    private final RedisTransport transport;
    private final Duration timeout;

    /** A reading of Redis TIME with the local times of request and reply. */
    public record TimeSample(ServerTime time, long sentAt, long receivedAt) {}

    public ServerQueries(RedisTransport transport, Duration timeout) {
        this.transport = transport;
        this.timeout = timeout;
    }

    public RedisTransport transport() {
        return transport;
    }

    /** Returns how long it waits for each answer. */
    public Duration timeout() {
        return timeout;
    }

    public ServerDescription describe() {
        return await(transport.describe());
    }

    public TimeSample time(TimeSource clock) {
        return time(null, clock);
    }

    public TimeSample time(@Nullable RedisNode node, TimeSource clock) {
        long sentAt = clock.nanoTime();
        Object reply = command(node, List.of("TIME"));
        long receivedAt = clock.nanoTime();
        List<?> parts = list(reply);
        if (parts.size() != 2
                || !parts.stream()
                        .allMatch(part -> NUMBER.matcher(String.valueOf(part)).matches())) {
            throw unavailable("its answer to TIME has not two numbers, so it is no Redis", null);
        }
        long micros = Long.parseLong(String.valueOf(parts.get(0))) * MICROS_PER_SECOND
                + Long.parseLong(String.valueOf(parts.get(1)));
        return new TimeSample(new ServerTime(micros), sentAt, receivedAt);
    }

    /**
     * Asks a server for its time, to see that it answers.
     *
     * @throws LockUnavailableException if it refused, or did not answer in time
     */
    public void ping() {
        try {
            Object unused = command(null, List.of("TIME"));
        } catch (RedisErrorException e) {
            throw unavailable("it refused TIME: " + e.getMessage(), e);
        }
    }

    /** Returns a section of INFO as a map. */
    public Map<String, String> info(@Nullable RedisNode node, String section) {
        Map<String, String> values = new HashMap<>();
        for (String line :
                String.valueOf(command(node, List.of("INFO", section))).split("\r?\n", -1)) {
            int colon = line.indexOf(':');
            if (colon > 0 && line.charAt(0) != '#') {
                values.put(line.substring(0, colon), Names.escapeLong(line.substring(colon + 1)));
            }
        }
        return values;
    }

    /** Returns all keys of a type that match a pattern; a key may occur twice. */
    public List<String> scan(@Nullable RedisNode node, String type, String pattern) {
        List<String> keys = new ArrayList<>();
        String cursor = "0";
        do {
            List<?> reply = list(command(
                    node,
                    List.of("SCAN", cursor, "MATCH", pattern, "COUNT", Integer.toString(SCAN_COUNT), "TYPE", type)));
            cursor = String.valueOf(reply.get(0));
            for (Object key : list(reply.get(1))) {
                keys.add(String.valueOf(key));
            }
        } while (!cursor.equals("0"));
        return keys;
    }

    /** Subscribes to a channel, and ends the subscription once Redis has confirmed it. */
    public void subscribeOnce(String channel) {
        AutoCloseable subscription = await(transport.subscribe(channel, message -> {}));
        try {
            subscription.close();
        } catch (Exception e) {
            throw unavailable(String.valueOf(e.getMessage()), e);
        }
    }

    public @Nullable Object command(@Nullable RedisNode node, List<String> args) {
        return await(transport.command(node, args));
    }

    /** Casts a reply that must be a list. */
    public static List<?> list(@Nullable Object reply) {
        if (reply instanceof List<?> list) {
            return list;
        }
        // Without the reply: a server may repeat what it was sent.
        throw unavailable("it did not answer with a list, so it is no Redis", null);
    }

    public <T extends @Nullable Object> T await(CompletionStage<T> stage) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return stage.toCompletableFuture().get(timeout.toNanos(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (TimeoutException e) {
                    throw unavailable("it gave no answer within " + TimeText.of(timeout), e);
                } catch (ExecutionException e) {
                    throw failed(e.getCause());
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static RuntimeException failed(@Nullable Throwable cause) {
        if (cause instanceof RedisErrorException error) {
            return error;
        }
        return unavailable(String.valueOf(cause == null ? null : cause.getMessage()), cause);
    }

    private static LockUnavailableException unavailable(String what, @Nullable Throwable cause) {
        return new LockUnavailableException(
                "",
                false,
                "Redis cannot be queried: " + Names.escapeReason(what)
                        + ". Check that it is up and reachable, and try again",
                cause);
    }
}
