package dev.leasehold.internal.scriptfree;

import dev.leasehold.spi.Dialogue;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.ScriptCall;
import dev.leasehold.spi.TimeSource;
import dev.leasehold.spi.TransportException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One of the scripts of plain locks, without a script: it watches the key, looks, decides here as the script would decide
 * there, and acts in a transaction, which Redis refuses if the key has changed since. Then it looks again.
 *
 * <p>That is as safe as the script when a reply is lost, and needs no more of a clock. An acquire takes the key only by a
 * transaction behind a look at which Redis TIME was not past notAfter. The release that makes an end of the matter looks
 * when TIME is past it, so later than the acquire: it finds the hold and deletes it, or it changes the key, even if
 * that is free ({@link PlainOperation.Release}), and then a transaction that is still on its way is refused for ever.
 */
final class PlainDialogue implements Dialogue {

    /** Whoever meets a key that changes each time he looks waits as for a busy one. */
    private static final int MOST_LOOKS = 10;

    private static final int TIME = 3;
    private static final int GET = 4;
    private static final int PTTL = 5;
    private static final int TYPE = 6;
    private static final int MICRO_DIGITS = 6;
    private static final int SECOND_DIGITS = 10;

    private final String key;
    private final PlainOperation operation;
    private final TimeSource time;
    private final long deadline;
    private Phase phase = Phase.BEGINS;
    private int looks;
    private @Nullable Look seen;
    private @Nullable List<String> answer;
    private @Nullable RuntimeException failure;

    private enum Phase {
        BEGINS,
        LOOKED,
        ACTED,
        LEFT
    }

    /**
     * What lies under the key.
     *
     * @param now Redis TIME in microseconds, read after the key was watched
     * @param value null if there is none
     * @param left how long the key lasts, in ms; -1 for ever, -2 if there is none
     * @param found the type of what is no string, else null
     */
    record Look(
            String now,
            @Nullable String value,
            long left,
            @Nullable String found) {

        /** Whether the value is that of an acquisition of ours. */
        boolean isOf(String id) {
            return value != null && value.startsWith(id + " ");
        }
    }

    /** For one key of a call. */
    PlainDialogue(ScriptCall call, String key, PlainOperation operation, TimeSource time) {
        this.key = key;
        this.operation = operation;
        this.time = time;
        this.deadline = time.nanoTime() + call.timeoutNanos();
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
            case BEGINS -> look();
            case LOOKED -> looked(replies);
            case ACTED -> acted(replies);
            case LEFT -> List.of();
        };
    }

    /**
     * What the script would have returned, at the end.
     *
     * @throws RedisErrorException if Redis refused
     * @throws TransportException if the time was over before anything was changed
     */
    List<String> answer() {
        List<String> known = answer;
        if (known != null) {
            return known;
        }
        throw failure != null ? failure : new TransportException("the dialogue has not ended", true, null);
    }

    private List<List<String>> look() {
        looks++;
        phase = Phase.LOOKED;
        // The empty transaction shows that there are such: where MULTI is refused, what follows it would be done at
        // once.
        return List.of(
                List.of("MULTI"),
                List.of("EXEC"),
                List.of("WATCH", key),
                List.of("TIME"),
                List.of("GET", key),
                List.of("PTTL", key),
                List.of("TYPE", key));
    }

    private List<List<String>> looked(List<@Nullable Object> replies) {
        boolean foreign = isWrongType(replies.get(GET));
        RedisErrorException error = firstError(replies, foreign ? GET : -1);
        if (error != null) {
            return fail(error);
        }
        if (timeoutNanos() <= 0) {
            return fail(new TransportException("no time was left to act on what was found", false, null));
        }
        Look look = new Look(
                micros(replies.get(TIME)),
                foreign ? null : (String) replies.get(GET),
                number(replies.get(PTTL)),
                foreign ? String.valueOf(replies.get(TYPE)) : null);
        seen = look;
        List<String> known = operation.answer(look);
        if (known != null) {
            answer = known;
            return leave();
        }
        phase = Phase.ACTED;
        List<List<String>> transaction = new ArrayList<>();
        transaction.add(List.of("MULTI"));
        transaction.addAll(operation.act(key, look));
        transaction.add(List.of("EXEC"));
        return transaction;
    }

    private List<List<String>> acted(List<@Nullable Object> replies) {
        phase = Phase.LEFT;
        RedisErrorException error = firstError(replies, -1);
        if (error != null) {
            failure = error;
            return List.of();
        }
        Object results = replies.get(replies.size() - 1);
        Look look = seen;
        if (results instanceof List<?> list && look != null) {
            answer = operation.acted(look, list);
        }
        if (answer != null) {
            return List.of();
        }
        if (looks == MOST_LOOKS) {
            failure = new RedisErrorException(
                    "TRYAGAIN the key changed each of " + MOST_LOOKS + " times it was looked at");
            return List.of();
        }
        return look();
    }

    private List<List<String>> fail(RuntimeException reason) {
        failure = reason;
        return leave();
    }

    private List<List<String>> leave() {
        phase = Phase.LEFT;
        return List.of(List.of("UNWATCH"));
    }

    private static boolean isWrongType(@Nullable Object reply) {
        return reply instanceof RedisErrorException error && error.code().equals("WRONGTYPE");
    }

    /** The first says why; those behind it, such as EXECABORT, follow from it. */
    private static @Nullable RedisErrorException firstError(List<@Nullable Object> replies, int except) {
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

    /** As the scripts write it: 16 digits. */
    private static String micros(@Nullable Object reply) {
        if (!(reply instanceof List<?> clock)) {
            throw new IllegalStateException("Redis answered " + reply + " to TIME");
        }
        return String.format(
                Locale.ROOT,
                "%0" + SECOND_DIGITS + "d%0" + MICRO_DIGITS + "d",
                Long.parseLong(String.valueOf(clock.get(0))),
                Long.parseLong(String.valueOf(clock.get(1))));
    }
}
