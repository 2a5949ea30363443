package dev.leasehold.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.awaitility.Awaitility.await;

import dev.leasehold.TlsOptions;
import dev.leasehold.spi.ConnectionSettings;
import dev.leasehold.spi.RedisNode;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spi.Script;
import dev.leasehold.spi.ScriptCall;
import dev.leasehold.spi.TransportException;
import dev.leasehold.testkit.EmbeddedCluster;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.EmbeddedSentinel;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Calls and assertions that tests of transports share. */
public final class TransportCalls {

    /** Long enough for any machine; only a failing test waits this long. */
    public static final Duration LIMIT = Duration.ofMinutes(1);

    /** The name of the client in {@link #settings(String)}. */
    public static final String CLIENT_NAME = "leasehold-contract";

    private TransportCalls() {}

    /**
     * Returns the version of a server's product: Valkey reports the Redis that it is compatible with, too.
     *
     * @param info the section {@code server} of INFO
     */
    static @Nullable String version(Map<String, String> info) {
        return info.getOrDefault("valkey_version", info.get("redis_version"));
    }

    /**
     * Returns settings with a connect timeout of 5 s and a command timeout of 2 s.
     *
     * @param uri the server
     * @return without certificates
     */
    public static ConnectionSettings settings(String uri) {
        return settings(uri, Duration.ofSeconds(5));
    }

    /**
     * Returns settings with another connect timeout.
     *
     * @param uri the server
     * @param connectTimeout the timeout
     * @return without certificates
     */
    public static ConnectionSettings settings(String uri, Duration connectTimeout) {
        return settings(uri, connectTimeout, TlsOptions.defaults());
    }

    static ConnectionSettings settings(String uri, TlsOptions tls) {
        return settings(uri, Duration.ofSeconds(5), tls);
    }

    static ConnectionSettings settings(String uri, Duration connectTimeout, TlsOptions tls) {
        return new ConnectionSettings(URI.create(uri), CLIENT_NAME, connectTimeout, Duration.ofSeconds(2), tls);
    }

    /** Returns a script with the digest that Redis computes of it. */
    static Script script(String body) {
        try {
            byte[] sha1 = MessageDigest.getInstance("SHA-1").digest(body.getBytes(StandardCharsets.UTF_8));
            return new Script("contract", body, HexFormat.of().formatHex(sha1));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-1", e);
        }
    }

    static ScriptCall call(String body, List<String> keys, String... args) {
        return call(Duration.ofSeconds(10), body, keys, args);
    }

    /**
     * Returns a call of a script.
     *
     * @param timeout its timeout
     * @param body the script
     * @param keys its keys
     * @param args its arguments
     * @return the call
     */
    public static ScriptCall call(Duration timeout, String body, List<String> keys, String... args) {
        return new ScriptCall(script(body), keys, List.of(args), timeout.toNanos());
    }

    /**
     * Returns a call that counts its executions.
     *
     * @param key where
     * @return with a timeout of 10 s
     */
    public static ScriptCall count(String key) {
        return count(key, Duration.ofSeconds(10));
    }

    /**
     * Returns a call that counts its executions.
     *
     * @param key where
     * @param timeout its timeout
     * @return the call
     */
    public static ScriptCall count(String key, Duration timeout) {
        return call(timeout, "return {redis.call('INCR', KEYS[1])}", List.of(key));
    }

    /**
     * Returns the answer.
     *
     * @param stage fails with unchecked exceptions only, which are thrown unchanged
     * @return the result
     * @param <T> its type
     */
    public static <T extends @Nullable Object> T answer(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().get(LIMIT.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new AssertionError("a stage fails with exceptions of the port only", e);
        } catch (TimeoutException e) {
            throw new AssertionError("no answer within " + LIMIT, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    /**
     * Returns the failure of the stage, as a dependent of the stage sees it.
     *
     * @param stage the stage
     * @param type what it fails with
     * @return the failure
     * @param <F> its type
     */
    public static <F extends RuntimeException> F failure(CompletionStage<?> stage, Class<F> type) {
        CompletableFuture<@Nullable Throwable> seen = new CompletableFuture<>();
        CompletionStage<?> unused = stage.whenComplete((answer, failure) -> seen.complete(failure));
        Throwable failure = answer(seen);
        if (failure == null) {
            return fail("expected a failure with " + type.getSimpleName() + ", not an answer");
        }
        assertThat(failure).isInstanceOf(type);
        return type.cast(failure);
    }

    /**
     * Returns a key that a node of a cluster has.
     *
     * @param cluster the cluster
     * @param node one of its primaries
     * @return always the same
     */
    public static String keyOn(EmbeddedCluster cluster, EmbeddedRedis node) {
        return keysOn(cluster, node).findFirst().orElseThrow();
    }

    static Stream<String> keysOn(EmbeddedCluster cluster, EmbeddedRedis node) {
        return IntStream.iterate(0, i -> i + 1).mapToObj(i -> "key" + i).filter(key -> cluster.nodeOf(key) == node);
    }

    /** Waits for the timeout of a call and then cancels it, like the engine. */
    static void giveUp(RedisTransport transport, ScriptCall call) {
        Future<?> future = transport.eval(call).toCompletableFuture();
        try {
            Object reply = future.get(call.timeoutNanos(), TimeUnit.NANOSECONDS);
            throw new AssertionError("no reply should come, not " + reply);
        } catch (TimeoutException e) {
            future.cancel(true);
        } catch (ExecutionException e) {
            assertThat(e).hasCauseInstanceOf(TransportException.class);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /**
     * Asserts that calls, batches and messages reach the primary that Sentinels name, before and after a failover.
     *
     * @param transport the transport
     * @param redis its servers
     */
    public static void assertFollowsAFailOver(RedisTransport transport, EmbeddedSentinel redis) {
        Queue<String> messages = subscribed(transport, "news");
        assertLeadsTo(transport, redis.primary(), messages);
        assertLeadsTo(transport, redis.failOver(), messages);
    }

    /** Returns the messages of a channel from now on. */
    static Queue<String> subscribed(RedisTransport transport, String channel) {
        Queue<String> messages = new ConcurrentLinkedQueue<>();
        answer(transport.subscribe(channel, messages::add));
        return messages;
    }

    /** Asserts that calls, batches and messages of the channel "news" reach this server, now or soon. */
    static void assertLeadsTo(RedisTransport transport, EmbeddedRedis node, Queue<String> messages) {
        List<RedisNode> nodes = List.of(new RedisNode(node.host(), node.port(), true));
        await().atMost(LIMIT)
                .ignoreExceptions()
                .until(() -> answer(transport.describe()).nodes().equals(nodes));
        await().atMost(LIMIT).ignoreExceptions().until(() -> {
            answer(transport.eval(count("called")));
            answer(transport.evalBatch(List.of(count("batched"))).get(0));
            return Long.valueOf(2).equals(node.command("EXISTS", "called", "batched"));
        });
        await().atMost(LIMIT).until(() -> {
            node.command("PUBLISH", "news", node.toString());
            return messages.contains(node.toString());
        });
    }

    /** Returns the failure of opening; a transport that opens after all is closed. */
    static <F extends RuntimeException> F openingFailure(
            java.util.function.Supplier<RedisTransport> opening, Class<F> type) {
        try (RedisTransport transport = opening.get()) {
            return fail("expected " + transport + " not to open");
        } catch (RuntimeException failure) {
            assertThat(failure).isInstanceOf(type);
            return type.cast(failure);
        }
    }

    /**
     * Asserts that the stage fails with certainty that the request was not executed.
     *
     * @param stage the stage
     */
    public static void assertNotExecuted(CompletionStage<?> stage) {
        assertThat(failure(stage, TransportException.class).maybeExecuted()).isFalse();
    }
}
