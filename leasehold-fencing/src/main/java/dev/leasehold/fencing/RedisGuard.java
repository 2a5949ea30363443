package dev.leasehold.fencing;

import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spi.ScriptCall;
import dev.leasehold.spi.TransportException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Guards data in Redis or Valkey: a script compares the token with the highest one seen, raises that, and runs a command on
 * the data, all in one step. It goes over the same transport as Leasehold, which is lent and never closed here:
 *
 * <pre>{@code
 * RedisGuard guard = RedisGuard.over(LettuceTransport.over(redisClient));
 * guard.run("lottery", lease.fencingToken(), "HSET", "lottery:winners", "first", "4711");
 * }</pre>
 *
 * <p>The token lies in a string key of its own, {@code <prefix>:{<name>}}, beside the data, and has no expiry unless
 * {@link #keepFor} gives it one. In a cluster the key of the data must have the same slot: give it the hash tag
 * {@code {<name>}}. What is in the name beside ASCII letters, digits and {@code -_.:/@,+=~} is percent-encoded there. While
 * that slot migrates Redis may answer {@code TRYAGAIN}.
 *
 * <p>The fence is as durable as the data beside it: both are written by one script, so a fail-over loses both or neither.
 * For work that is done elsewhere ({@link #admit}) a fail-over may lose the fence alone; then an older token passes. Any
 * eviction policy but {@code noeviction} may delete fences, too.
 *
 * <p>Immutable, and safe for use by any thread. Blocks the caller until Redis answers, for the command time-out at the most.
 * Nothing is sent twice.
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
     * A guard with the defaults: key prefix {@code leasehold-fence}, fences kept for ever, command time-out 2 s.
     *
     * @param transport to the server or cluster that has the data. Not that of a {@code Leasehold}, which closes its own
     * @return the guard
     */
    public static RedisGuard over(RedisTransport transport) {
        return new RedisGuard(transport, "leasehold-fence", Duration.ZERO, Duration.ofSeconds(2));
    }

    /**
     * Another prefix of the keys of fences. All who write the same data must have the same.
     *
     * @param prefix 1 to 64 printable ASCII characters without braces, blanks or glob characters ({@code * ? [ ] \} and
     *     {@code ^})
     * @return a guard like this one with that prefix
     * @throws IllegalArgumentException if it breaks the rule
     */
    public RedisGuard keyPrefix(String prefix) {
        if (!PREFIX.matcher(prefix).matches()) {
            throw new IllegalArgumentException("key prefix '" + Inputs.escape(prefix)
                    + "' must be 1 to 64 printable ASCII characters without braces, blanks or any of * ? [ ] \\ ^");
        }
        return new RedisGuard(transport, prefix, keepFor, commandTimeout);
    }

    /**
     * Has a fence forgotten so long after its last use, for resources that are many and short-lived. After that any token
     * passes; so choose it longer than any holder can stand still and then go on.
     *
     * @param time at least 1 s
     * @return a guard like this one that forgets
     * @throws IllegalArgumentException if it is less
     */
    public RedisGuard keepFor(Duration time) {
        if (time.compareTo(Duration.ofSeconds(1)) < 0) {
            throw new IllegalArgumentException("fences cannot be kept for " + time
                    + ": give at least 1 s, and more than a holder can stand still, a day for example");
        }
        return new RedisGuard(transport, keyPrefix, time, commandTimeout);
    }

    /**
     * Another limit for the wait for an answer.
     *
     * @param timeout positive
     * @return a guard like this one with that time-out
     * @throws IllegalArgumentException if it is zero or negative
     */
    public RedisGuard commandTimeout(Duration timeout) {
        if (timeout.isZero() || timeout.isNegative()) {
            throw new IllegalArgumentException("the command time-out " + timeout + " must be positive");
        }
        return new RedisGuard(transport, keyPrefix, keepFor, timeout);
    }

    /**
     * {@inheritDoc}
     *
     * @throws StaleTokenException {@inheritDoc}
     * @throws IllegalArgumentException {@inheritDoc}
     * @throws TransportException if Redis did not answer; the token may have been remembered
     * @throws RedisErrorException if Redis refused, also if something else than a token lies under the fence's key
     */
    @Override
    public void admit(String resource, long token) {
        call(resource, token, List.of(), List.of());
    }

    /**
     * Runs a command for a holder, unless its token is stale. Raises the fence, and writes or reads, in one step. A command
     * that reads is guarded alike: what is computed from it can then be written only as long as nobody newer was here.
     *
     * @param resource the name of what is guarded; by convention that of the lock
     * @param token the fencing token of the holder's lease
     * @param command a command whose one key is its first argument, such as SET, HSET, GET or DEL
     * @param key that key
     * @param args what comes after the key
     * @return the answer: one element for a status, number or text, of lists their elements, in lists of lists one after
     *     another; null is what Redis answers for nothing. All as text, read as UTF-8
     * @throws StaleTokenException if a higher token was seen; nothing was changed
     * @throws IllegalArgumentException if the name or the token breaks its rule, or command or key is empty; nothing was sent
     * @throws TransportException if Redis did not answer. The command may have been executed, unless the exception says that
     *     it was not: repeat what does the same when done twice
     * @throws RedisErrorException if Redis refused, such as {@code OOM}, or {@code WRONGTYPE} for the data. The command has
     *     done nothing then, but the fence may have been raised
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

    /** Braces come from here alone, or a name could move its key to another slot. */
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
            // The transport takes this as a sign that the connection may be dead.
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
