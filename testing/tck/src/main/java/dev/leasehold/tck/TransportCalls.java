package dev.leasehold.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.leasehold.TlsOptions;
import dev.leasehold.spi.ConnectionSettings;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spi.Script;
import dev.leasehold.spi.ScriptCall;
import dev.leasehold.spi.TransportException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Calls and assertions that the contracts of transports share. */
final class TransportCalls {

    /** Long enough for any machine; only a failing test waits this long. */
    static final Duration LIMIT = Duration.ofMinutes(1);

    static final String CLIENT_NAME = "leasehold-contract";

    private TransportCalls() {}

    /**
     * Returns the version of a server's product: Valkey reports the Redis that it is compatible with, too.
     *
     * @param info the section {@code server} of INFO
     */
    static @Nullable String version(Map<String, String> info) {
        return info.getOrDefault("valkey_version", info.get("redis_version"));
    }

    static ConnectionSettings settings(String uri) {
        return settings(uri, TlsOptions.defaults());
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

    static ScriptCall call(Duration timeout, String body, List<String> keys, String... args) {
        return new ScriptCall(script(body), keys, List.of(args), timeout.toNanos());
    }

    /** Returns a call that counts its executions. */
    static ScriptCall count(String key) {
        return call("return {redis.call('INCR', KEYS[1])}", List.of(key));
    }

    /** Returns the answer; throws the failure of the stage unchanged. */
    static <T extends @Nullable Object> T answer(CompletionStage<T> stage) {
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

    /** Returns the failure of the stage, as a dependent of the stage sees it. */
    static <F extends RuntimeException> F failure(CompletionStage<?> stage, Class<F> type) {
        CompletableFuture<@Nullable Throwable> seen = new CompletableFuture<>();
        CompletionStage<?> unused = stage.whenComplete((answer, failure) -> seen.complete(failure));
        Throwable failure = answer(seen);
        if (failure == null) {
            return fail("expected a failure with " + type.getSimpleName() + ", not an answer");
        }
        assertThat(failure).isInstanceOf(type);
        return type.cast(failure);
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

    /** Asserts that the stage fails with certainty that the request was not executed. */
    static void assertNotExecuted(CompletionStage<?> stage) {
        assertThat(failure(stage, TransportException.class).maybeExecuted()).isFalse();
    }
}
