package dev.leasehold.internal.script;

import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.Script;
import dev.leasehold.spi.ScriptCall;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code renew_many.lua}: renews holds of several locks for the same time, each as if it were alone. */
public final class RenewManyScript {

    /** The resource, as sent. */
    public static final Script SCRIPT = Scripts.load("renew_many");

    private static final String RENEWED = "renewed";
    private static final String FAILED = "failed";

    private final String retention;

    /** Binds what is the same for all calls of a client. */
    public RenewManyScript(Retention retention) {
        this.retention = retention.arg();
    }

    /** The outcomes; the header of the script says what each means. */
    public enum Code {
        ALL,
        EACH
    }

    /** A hold to be renewed. */
    public record Entry(LockKey key, AcquisitionId id) {}

    /** The arguments in the order of the script. */
    public ScriptCall call(LeaseSpan lease, List<Entry> entries, long timeoutNanos) {
        List<String> keys = new ArrayList<>(entries.size());
        List<String> args = new ArrayList<>(2 + entries.size());
        args.add(lease.arg());
        args.add(retention);
        for (Entry entry : entries) {
            keys.add(entry.key.key());
            args.add(entry.id.value());
        }
        return new ScriptCall(SCRIPT, keys, args, timeoutNanos);
    }

    /**
     * Reads a reply to a call for so many entries.
     *
     * @throws IllegalStateException if it does not answer to each of them
     */
    public static Answers parse(List<String> reply, LeaseSpan lease, int entries) {
        Code code = Reply.code(Code.class, reply);
        ServerTime now = Reply.now(reply);
        List<String> results = reply.subList(2, reply.size());
        if (results.size() != (code == Code.ALL ? 0 : 2 * entries)) {
            throw new IllegalStateException(
                    "a script answered with " + results.size() + " words to " + entries + " entries");
        }
        RenewScript.Answer ofAll =
                code == Code.ALL ? RenewScript.answer(RenewScript.Code.RENEWED, now, lease.arg()) : null;
        return new Answers(code, now, results, ofAll);
    }

    /** A parsed reply: what came of all, or results as the script gives them, two words for each entry. */
    public record Answers(Code code, ServerTime now, List<String> results, RenewScript.@Nullable Answer ofAll) {

        /**
         * What came of an entry.
         *
         * @throws RedisErrorException if it failed, and only it
         */
        public RenewScript.Answer of(int entry) {
            if (ofAll != null) {
                return ofAll;
            }
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
