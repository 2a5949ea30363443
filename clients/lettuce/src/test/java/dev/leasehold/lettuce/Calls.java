package dev.leasehold.lettuce;

import dev.leasehold.TlsOptions;
import dev.leasehold.spi.ConnectionSettings;
import dev.leasehold.spi.Script;
import dev.leasehold.spi.ScriptCall;
import io.lettuce.core.codec.Base16;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Calls to make and answers to wait for. */
final class Calls {

    static final Duration LIMIT = Duration.ofSeconds(20);

    private Calls() {}

    static ConnectionSettings settings(String uri) {
        return settings(uri, TlsOptions.defaults());
    }

    static ConnectionSettings settings(String uri, TlsOptions tls) {
        return settings(uri, Duration.ofSeconds(5), tls);
    }

    static ConnectionSettings settings(String uri, Duration connectTimeout) {
        return settings(uri, connectTimeout, TlsOptions.defaults());
    }

    static ConnectionSettings settings(String uri, Duration connectTimeout, TlsOptions tls) {
        return new ConnectionSettings(URI.create(uri), "lettuce-it", connectTimeout, Duration.ofSeconds(2), tls);
    }

    /** Counts how often it was executed. */
    static ScriptCall count(String key) {
        return count(key, LIMIT);
    }

    static ScriptCall count(String key, Duration timeout) {
        return script("return {redis.call('INCR', KEYS[1])}", key, timeout);
    }

    static ScriptCall script(String body, String key, Duration timeout) {
        return new ScriptCall(
                new Script("count", body, Base16.digest(body.getBytes(StandardCharsets.UTF_8))),
                List.of(key),
                List.of(),
                timeout.toNanos());
    }

    /** The answer, or what the stage fails with as the cause of an AssertionError. */
    static <T> T answer(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().get(LIMIT.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException | TimeoutException | InterruptedException e) {
            throw new AssertionError("no answer", e);
        }
    }

    /** Returns the exception with which the stage fails. */
    static Throwable failure(CompletionStage<?> stage) {
        try {
            throw new AssertionError(
                    "no failure, but " + stage.toCompletableFuture().get(LIMIT.toNanos(), TimeUnit.NANOSECONDS));
        } catch (ExecutionException e) {
            return e.getCause();
        } catch (TimeoutException | InterruptedException e) {
            throw new AssertionError("neither failure nor answer", e);
        }
    }
}
