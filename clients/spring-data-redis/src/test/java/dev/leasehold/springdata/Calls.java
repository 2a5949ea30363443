package dev.leasehold.springdata;

import dev.leasehold.TlsOptions;
import dev.leasehold.spi.ConnectionSettings;
import dev.leasehold.spi.Script;
import dev.leasehold.spi.ScriptCall;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Calls to make and answers to wait for. */
final class Calls {

    static final Duration LIMIT = Duration.ofMinutes(1);

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
        return new ConnectionSettings(URI.create(uri), "spring-data-it", connectTimeout, Duration.ofSeconds(2), tls);
    }

    /** Returns the threads that transports have now, and not the servers of the tests. */
    static Set<Thread> threadsOfTransports() {
        Set<Thread> threads = new HashSet<>(Thread.getAllStackTraces().keySet());
        threads.removeIf(thread ->
                !thread.getName().startsWith("leasehold-") || thread.getName().startsWith("leasehold-testkit"));
        return threads;
    }

    /** Counts how often it was executed. */
    static ScriptCall count(String key) {
        return count(key, LIMIT);
    }

    static ScriptCall count(String key, Duration timeout) {
        return script("return {redis.call('INCR', KEYS[1])}", key, timeout);
    }

    static ScriptCall script(String body, String key, Duration timeout) {
        return new ScriptCall(new Script("count", body, sha1(body)), List.of(key), List.of(), timeout.toNanos());
    }

    private static String sha1(String body) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-1").digest(body.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-1", e);
        }
    }

    /** The answer, or what the stage fails with as the cause of an AssertionError. */
    static <T> T answer(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().get(LIMIT.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException | TimeoutException | InterruptedException e) {
            throw new AssertionError("no answer", e);
        }
    }
}
