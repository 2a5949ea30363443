package dev.leasehold.internal.script;

import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.Script;
import dev.leasehold.spi.ScriptCall;
import java.util.ArrayList;
import java.util.List;

/** {@code renew_many.lua}: renews holds of several locks, each as if it were alone. */
public final class RenewManyScript {

    /** The resource, as sent. */
    public static final Script SCRIPT = Scripts.load("renewal", "renew_many");

    private static final String RENEWED = "renewed";
    private static final String FAILED = "failed";

    private final String retention;

    /** Binds what is the same for all calls of a client. */
    public RenewManyScript(Retention retention) {
        this.retention = retention.arg();
    }

    /** The outcomes; the header of the script says what each means. */
    public enum Code {
        EACH
    }

    /** A hold to be renewed, and for how long. */
    public record Entry(LockKey key, AcquisitionId id, LeaseSpan lease) {}

    /** The arguments in the order of the script. */
    public ScriptCall call(List<Entry> entries, long timeoutNanos) {
        List<String> keys = new ArrayList<>(entries.size());
        List<String> args = new ArrayList<>(1 + 2 * entries.size());
        args.add(retention);
        for (Entry entry : entries) {
            keys.add(entry.key.key());
            args.add(entry.id.value());
            args.add(entry.lease.arg());
        }
        return new ScriptCall(SCRIPT, keys, args, timeoutNanos);
    }

    /**
     * Reads a reply.
     *
     * @throws IllegalStateException if it does not answer to so many entries
     */
    public static Answers parse(List<String> reply, int entries) {
        Code code = Reply.code(Code.class, reply);
        Answers answers = new Answers(code, Reply.now(reply), reply.subList(2, reply.size()));
        if (answers.results.size() != 2 * entries) {
            throw new IllegalStateException(
                    "a script answered with " + answers.results.size() + " words to " + entries + " entries");
        }
        return answers;
    }

    /** A parsed reply: results as the script gives them, two words for each entry. */
    public record Answers(Code code, ServerTime now, List<String> results) {

        /**
         * What came of an entry.
         *
         * @throws RedisErrorException if it failed, and only it
         */
        public RenewScript.Answer of(int entry) {
            String outcome = results.get(2 * entry);
            String detail = results.get(2 * entry + 1);
            if (outcome.equals(RENEWED)) {
                return RenewScript.answer(RenewScript.Code.RENEWED, now, detail);
            }
            if (outcome.equals(FAILED)) {
                throw new RedisErrorException(detail);
            }
            return RenewScript.answer(Reply.code(RenewScript.Code.class, outcome), now, detail);
        }
    }
}
