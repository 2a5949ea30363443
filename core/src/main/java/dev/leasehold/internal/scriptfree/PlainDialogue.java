package dev.leasehold.internal.scriptfree;

import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.store.ServerTime;
import dev.leasehold.spi.Dialogue;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.TimeSource;
import dev.leasehold.spi.TransportException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request for one key of a plain lock, without Lua. It watches the key, reads it, decides like the script, and acts in
 * a transaction, which Redis refuses if the key has changed since. Then it reads the key again.
 *
 * <p>This is as safe as the script if a reply is lost, and makes no further assumption about clocks. An acquire takes
 * the key only in a transaction after a read at which Redis TIME was not past notAfter. The final release reads when
 * TIME is past it, so later than the acquire. Either it finds the hold and deletes it; or it changes the key even if
 * that is free ({@link PlainOperation.Release}), so that a delayed transaction of the acquire is refused for good.
 *
 * @param <A> the type of the answer
 */
final class PlainDialogue<A> implements Dialogue {

    /** A caller whose key changes during each of these reads waits as for a busy lock. */
    private static final int MAX_READS = 10;

    private static final int TIME = 3;
    private static final int GET = 4;
    private static final int PTTL = 5;
    private static final int TYPE = 6;
    private static final long MICROS_PER_SECOND = 1_000_000;

    private final String key;
    private final PlainOperation<A> operation;
    private final TimeSource time;
    private final long deadline;
    private Phase phase = Phase.START;
    private int reads;
    private @Nullable KeyState lastState;
    private @Nullable A answer;
    private @Nullable RuntimeException failure;

    private enum Phase {
        START,
        READ,
        ACTED,
        DONE
    }

    /**
     * The state of the key.
     *
     * @param now Redis TIME, read after the key was watched
     * @param value the value, or null if the key does not exist
     * @param left the remaining time of the key in ms; -1 if it never expires, -2 if it does not exist
     * @param found the type of a value that is no string, otherwise null
     */
    record KeyState(
            ServerTime now,
            @Nullable String value,
            long left,
            @Nullable String found) {

        /** Returns whether the value belongs to the acquisition with this id. */
        boolean isOf(AcquisitionId id) {
            return value != null && value.startsWith(id.value() + " ");
        }
    }

    PlainDialogue(String key, long timeoutNanos, PlainOperation<A> operation, TimeSource time) {
        this.key = key;
        this.operation = operation;
        this.time = time;
        this.deadline = time.nanoTime() + timeoutNanos;
    }

    @Override
    public String key() {
        return key;
    }

    @Override
    public long timeoutNanos() {
        return deadline - time.nanoTime();
    }

    @Override
    public List<List<String>> next(List<@Nullable Object> replies) {
        return switch (phase) {
            case START -> read();
            case READ -> decide(replies);
            case ACTED -> acted(replies);
            case DONE -> List.of();
        };
    }

    /**
     * Returns the answer; called at the end.
     *
     * @throws RedisErrorException if Redis refused
     * @throws TransportException if the timeout passed before anything was changed
     */
    A answer() {
        A known = answer;
        if (known != null) {
            return known;
        }
        throw failure != null ? failure : new TransportException("the dialogue has not ended", true, null);
    }

    private List<List<String>> read() {
        reads++;
        phase = Phase.READ;
        // The empty transaction shows that MULTI is permitted: if Redis refused MULTI later, it would execute the
        // commands behind it immediately.
        return List.of(
                List.of("MULTI"),
                List.of("EXEC"),
                List.of("WATCH", key),
                List.of("TIME"),
                List.of("GET", key),
                List.of("PTTL", key),
                List.of("TYPE", key));
    }

    private List<List<String>> decide(List<@Nullable Object> replies) {
        boolean foreign = isWrongType(replies.get(GET));
        RedisErrorException error = firstError(replies, foreign ? GET : -1);
        if (error != null) {
            return fail(error);
        }
        if (timeoutNanos() <= 0) {
            return fail(new TransportException("no time was left to act on the reply", false, null));
        }
        KeyState state = new KeyState(
                serverTime(replies.get(TIME)),
                foreign ? null : (String) replies.get(GET),
                number(replies.get(PTTL)),
                foreign ? String.valueOf(replies.get(TYPE)) : null);
        lastState = state;
        A known = operation.answer(state);
        if (known != null) {
            answer = known;
            return unwatch();
        }
        phase = Phase.ACTED;
        List<List<String>> transaction = new ArrayList<>();
        transaction.add(List.of("MULTI"));
        transaction.addAll(operation.act(key, state));
        transaction.add(List.of("EXEC"));
        return transaction;
    }

    private List<List<String>> acted(List<@Nullable Object> replies) {
        phase = Phase.DONE;
        Object results = replies.get(replies.size() - 1);
        RedisErrorException error = firstError(replies, -1);
        if (error == null && results instanceof List<?> executed) {
            error = firstError(executed, -1);
        }
        if (error != null) {
            failure = error;
            return List.of();
        }
        KeyState state = lastState;
        if (results instanceof List<?> list && state != null) {
            answer = operation.acted(state, list);
        }
        if (answer != null) {
            return List.of();
        }
        if (reads == MAX_READS) {
            failure = new RedisErrorException("TRYAGAIN the key changed during each of " + MAX_READS + " attempts");
            return List.of();
        }
        return read();
    }

    private List<List<String>> fail(RuntimeException reason) {
        failure = reason;
        return unwatch();
    }

    private List<List<String>> unwatch() {
        phase = Phase.DONE;
        return List.of(List.of("UNWATCH"));
    }

    private static boolean isWrongType(@Nullable Object reply) {
        return reply instanceof RedisErrorException error && error.code().equals("WRONGTYPE");
    }

    /** Returns the first error, which is the cause; later ones, such as EXECABORT, follow from it. */
    private static @Nullable RedisErrorException firstError(List<?> replies, int except) {
        for (int i = 0; i < replies.size(); i++) {
            if (i != except && replies.get(i) instanceof RedisErrorException error) {
                return error;
            }
        }
        return null;
    }

    static long number(@Nullable Object reply) {
        if (reply instanceof Long number) {
            return number;
        }
        throw new IllegalStateException("Redis answered " + reply + " where a number was expected");
    }

    private static ServerTime serverTime(@Nullable Object reply) {
        if (!(reply instanceof List<?> clock)) {
            throw new IllegalStateException("Redis answered " + reply + " to TIME");
        }
        return new ServerTime(Long.parseLong(String.valueOf(clock.get(0))) * MICROS_PER_SECOND
                + Long.parseLong(String.valueOf(clock.get(1))));
    }
}
