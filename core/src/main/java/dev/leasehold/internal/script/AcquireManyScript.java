package dev.leasehold.internal.script;

import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.Script;
import dev.leasehold.spi.ScriptCall;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code acquire_many.lua}: enters holds of several locks, one after another, until one is not granted. */
public final class AcquireManyScript {

    /** The resource, as sent. */
    public static final Script SCRIPT = Scripts.load("acquire_many");

    private static final String UNTRIED = "untried";
    private static final String FAILED = "failed";
    /** The one outcome whose detail may contain a blank. */
    private static final String FOREIGN = "foreign";

    private AcquireManyScript() {}

    /** The outcomes; the header of the script says what each means. */
    public enum Code {
        EACH
    }

    /** A parsed reply: what came of each lock. */
    public record Answers(Code code, ServerTime now, List<Result> results) {}

    /**
     * What came of one lock.
     *
     * @param reply as {@link AcquireScript#parse} reads it; null if there is none
     * @param failure what acquire would have failed with; both are null if it was not tried
     */
    public record Result(
            @Nullable List<String> reply, @Nullable RedisErrorException failure) {}

    /**
     * The arguments in the order of the script.
     *
     * @param whole whether nothing is to be entered unless all are granted
     * @param ofEach the calls that would acquire each alone, without waiting
     */
    public static ScriptCall call(boolean whole, List<ScriptCall> ofEach, long timeoutNanos) {
        List<String> keys = new ArrayList<>();
        List<String> args = new ArrayList<>();
        args.add(whole ? "1" : "0");
        args.add(Integer.toString(ofEach.get(0).args().size()));
        for (ScriptCall one : ofEach) {
            keys.addAll(one.keys());
            args.addAll(one.args());
        }
        return new ScriptCall(SCRIPT, keys, args, timeoutNanos);
    }

    /**
     * Reads a reply to a call for so many locks.
     *
     * @throws IllegalStateException if it does not answer to each of them
     */
    public static Answers parse(List<String> reply, int locks) {
        Code code = Reply.code(Code.class, reply);
        ServerTime now = Reply.now(reply);
        if (reply.size() != 2 + 2 * locks) {
            throw new IllegalStateException(
                    "a script answered with " + reply.size() + " words about " + locks + " locks");
        }
        List<Result> results = new ArrayList<>();
        for (int n = 0; n < locks; n++) {
            results.add(result(reply.get(2 + 2 * n), now, reply.get(3 + 2 * n)));
        }
        return new Answers(code, now, results);
    }

    private static Result result(String outcome, ServerTime now, String detail) {
        return switch (outcome) {
            case UNTRIED -> new Result(null, null);
            case FAILED -> new Result(null, new RedisErrorException(detail));
            default -> {
                List<String> words = new ArrayList<>(List.of(outcome, now.arg()));
                if (!detail.isEmpty()) {
                    words.addAll(outcome.equals(FOREIGN) ? List.of(detail) : List.of(detail.split(" ", -1)));
                }
                yield new Result(words, null);
            }
        };
    }
}
