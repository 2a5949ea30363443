package dev.leasehold.fencing;

import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spi.ScriptCall;
import dev.leasehold.spi.TransportException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Guards data in Redis or Valkey: a script compares the token with the highest one seen, raises that, and runs a
 * command on the data, all in one step. It uses a transport of Leasehold, and never closes it:
 *
 * <pre>{@code
 * RedisGuard guard = RedisGuard.over(LettuceTransport.over(redisClient));
 * guard.run("lottery", lease.fencingToken(), "HSET", "lottery:winners", "first", "4711");
 * }</pre>
 *
 * <p>The token is stored in a string key of its own, {@code <prefix>:{<name>}}, beside the data. It has no expiry
 * unless {@link #keepFor} sets one. In a cluster the key of the data must be in the same slot: give it the hash tag
 * {@code {<name>}}. All characters of the name except ASCII letters, digits and {@code -_.:/@,+=~} are percent-encoded
 * in the key. While the slot migrates, Redis may answer {@code TRYAGAIN}.
 *
 * <p>The fence is as durable as the data beside it: one script writes both, so a failover loses both or neither. If the
 * work is done elsewhere ({@link #admit}), a failover may lose the fence alone; then an older token is admitted. Any
 * eviction policy except {@code noeviction} may delete fences, too.
 *
 * <p>Immutable and thread-safe. Calls block until Redis answers, at most for the command timeout. Nothing is sent
 * twice.
 */
public final class RedisGuard implements FencingGuard {

    private static final Pattern PREFIX = Pattern.compile("[\\x21-\\x7e&&[^{}*?\\[\\]\\\\^]]{1,64}");
    private static final String READABLE_SIGNS = "-_.:/@,+=~";

    private final RedisTransport transport;
    private final String keyPrefix;
    private final Duration keepFor;
    private final Duration commandTimeout;

    private RedisGuard(RedisTransport transport, String keyPrefix, Duration keepFor, Duration commandTimeout) {
        this.transport = transport;
        this.keyPrefix = keyPrefix;
        this.keepFor = keepFor;
        this.commandTimeout = commandTimeout;
    }

    /**
     * Creates a guard with the defaults: key prefix {@code leasehold-fence}, no expiry of fences, command timeout 2 s.
     *
     * @param transport a transport to the server or cluster that has the data. Not one that a {@code Leasehold} uses,
     *     as that closes it
     * @return the guard
     */
    public static RedisGuard over(RedisTransport transport) {
        return new RedisGuard(transport, "leasehold-fence", Duration.ZERO, Duration.ofSeconds(2));
    }

    /**
     * Returns a guard with another prefix of the keys of fences. All writers of the same data must use the same prefix.
     *
     * @param prefix 1 to 64 printable ASCII characters without braces, blanks or glob characters ({@code * ? [ ] \} and
     *     {@code ^})
     * @return a guard like this one with that prefix
     * @throws IllegalArgumentException if the prefix breaks this rule
     */
    public RedisGuard keyPrefix(String prefix) {
        if (!PREFIX.matcher(prefix).matches()) {
            throw new IllegalArgumentException("key prefix '" + Inputs.escape(prefix)
                    + "' must be 1 to 64 printable ASCII characters without braces, blanks or any of * ? [ ] \\ ^");
        }
        return new RedisGuard(transport, prefix, keepFor, commandTimeout);
    }

    /**
     * Returns a guard whose fences expire, for many short-lived resources. After the expiry any token is admitted, so
     * choose a time longer than any holder can be paused and then resume.
     *
     * @param time the time from the last use of a fence to its expiry, at least 1 s
     * @return a guard like this one whose fences expire
     * @throws IllegalArgumentException if the time is less than 1 s
     */
    public RedisGuard keepFor(Duration time) {
        if (Objects.requireNonNull(time, "time").compareTo(Duration.ofSeconds(1)) < 0) {
            throw new IllegalArgumentException("fences cannot be kept for " + time
                    + ": give at least 1 s, and more than a holder can be paused, a day for example");
        }
        return new RedisGuard(transport, keyPrefix, time, commandTimeout);
    }

    /**
     * Returns a guard with another command timeout.
     *
     * @param timeout the longest time to wait for an answer, positive
     * @return a guard like this one with that timeout
     * @throws IllegalArgumentException if the timeout is zero or negative
     */
    public RedisGuard commandTimeout(Duration timeout) {
        if (Objects.requireNonNull(timeout, "timeout").isZero() || timeout.isNegative()) {
            throw new IllegalArgumentException("the command timeout " + timeout + " must be positive");
        }
        return new RedisGuard(transport, keyPrefix, keepFor, timeout);
    }

    /**
     * {@inheritDoc}
     *
     * @throws StaleTokenException {@inheritDoc}
     * @throws IllegalArgumentException {@inheritDoc}
     * @throws TransportException if Redis did not answer; the token may have been stored
     * @throws RedisErrorException if Redis refused, also if the fence's key holds something other than a token
     */
    @Override
    public void admit(String resource, long token) {
        call(resource, token, List.of(), List.of());
    }

    /**
     * Runs a command for a holder, unless its token is stale. Raises the fence, and writes or reads, in one step. A
     * read raises the fence, too: a result computed from it can then be written only until a later holder is admitted.
     *
     * @param resource the name of the guarded resource; by convention the name of the lock
     * @param token the fencing token of the holder's lease
     * @param command a command whose one key is its first argument, such as SET, HSET, GET or DEL
     * @param key the key of the data
     * @param args the arguments after the key
     * @return the answer: one element for a status, number or text, and the elements of a list; nested lists are
     *     flattened. An element is null if Redis answers nil. All elements are texts, decoded as UTF-8
     * @throws StaleTokenException if a higher token was seen; nothing was changed
     * @throws IllegalArgumentException if the name or the token breaks its rule, or command or key is empty; nothing
     *     was sent
     * @throws TransportException if Redis did not answer. The command may have been executed, unless the exception says
     *     that it was not: repeat the call only if the command is idempotent
     * @throws RedisErrorException if Redis refused, for example with {@code OOM}, or {@code WRONGTYPE} for the data.
     *     The command had no effect then, but the fence may have been raised
     */
    public List<@Nullable String> run(String resource, long token, String command, String key, String... args) {
        if (command.isEmpty() || key.isEmpty()) {
            throw new IllegalArgumentException("command '" + Inputs.escape(command) + "' or key '" + Inputs.escape(key)
                    + "' is empty: to raise the fence alone, use admit");
        }
        List<String> request = new ArrayList<>();
        request.add(command);
        request.addAll(List.of(args));
        return call(resource, token, List.of(key), request);
    }

    private List<@Nullable String> call(String resource, long token, List<String> data, List<String> command) {
        Inputs.checkResource(resource);
        Inputs.checkToken(token);
        List<String> keys = new ArrayList<>();
        keys.add(keyPrefix + ":{" + encode(resource) + "}");
        keys.addAll(data);
        List<String> args = new ArrayList<>();
        args.add(Long.toString(token));
        args.add(Long.toString(keepFor.toMillis()));
        args.addAll(command);
        List<String> reply = await(new ScriptCall(FenceScript.SCRIPT, keys, args, commandTimeout.toNanos()));
        return FenceScript.read(resource, token, reply);
    }

    /** Encodes a name without braces, as braces in it could move its key to another slot. */
    private static String encode(String name) {
        StringBuilder out = new StringBuilder();
        for (byte b : name.getBytes(StandardCharsets.UTF_8)) {
            boolean letterOrDigit = (b >= 'a' && b <= 'z') || (b >= 'A' && b <= 'Z') || (b >= '0' && b <= '9');
            if (letterOrDigit || READABLE_SIGNS.indexOf(b) >= 0) {
                out.append((char) b);
            } else {
                out.append(String.format("%%%02X", b));
            }
        }
        return out.toString();
    }

    private List<String> await(ScriptCall call) {
        CompletableFuture<List<String>> answer = transport.eval(call).toCompletableFuture();
        try {
            return answer.get(call.timeoutNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            answer.cancel(true);
            Thread.currentThread().interrupt();
            throw new TransportException("interrupted while waiting for the answer", true, e);
        } catch (TimeoutException e) {
            // Cancelling tells the transport that the connection may be dead.
            answer.cancel(true);
            throw new TransportException("no answer within " + commandTimeout.toMillis() + " ms", true, e);
        } catch (ExecutionException | CancellationException e) {
            throw failure(e);
        }
    }

    private static RuntimeException failure(Exception failed) {
        Throwable cause = failed;
        while ((cause instanceof ExecutionException || cause instanceof CompletionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        if (cause instanceof RedisErrorException || cause instanceof TransportException) {
            return (RuntimeException) cause;
        }
        return new TransportException("the transport failed: " + cause, true, cause);
    }
}
