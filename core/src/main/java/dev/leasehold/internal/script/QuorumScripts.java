package dev.leasehold.internal.script;

import dev.leasehold.internal.key.KeyPrefix;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.Script;
import dev.leasehold.spi.ScriptCall;
import java.util.ArrayList;
import java.util.List;

/**
 * What a server of a quorum is asked beside the scripts of any lock, {@code quorum_acquire.lua}, {@code quorum_raise.lua} and
 * {@code quorum_join.lua}; and these scripts, as they are sent to one server in the place of all.
 */
public final class QuorumScripts {

    /** {@code quorum_acquire.lua}, as sent. */
    public static final Script ACQUIRE = Scripts.load("quorum_acquire");

    /** {@code quorum_raise.lua}, as sent. */
    public static final Script RAISE = Scripts.load("quorum_raise");

    /** {@code quorum_join.lua}, as sent. */
    public static final Script JOIN = Scripts.load("quorum_join");

    private static final int ACQUIRE_ID = 0;
    private static final int ACQUIRE_LEASE = 1;
    private static final int ACQUIRE_NOT_AFTER = 2;
    /** From here on to the label: the floor, the retention and the holder. */
    private static final int ACQUIRE_FLOOR = 3;

    private static final int ACQUIRE_CHANNEL = 7;
    private static final int FIRST_MANY_ID = 2;

    private QuorumScripts() {}

    /** What comes of the acquire. */
    public enum Acquiring {
        GRANTED,
        YOUNG,
        BUSY,
        STALE,
        ENDED,
        CLOCK,
        EXHAUSTED,
        FOREIGN,
        OTHER,
        UNMARKED
    }

    /**
     * A parsed reply to the acquire. What does not belong to the code is zero or empty.
     *
     * @param leftNanos how long the hold lasts, or that of another
     * @param token that of the hold, or the last
     * @param forgetsNanos for how long the server may have forgotten holds
     * @param detail the other longest lease, or what lies there
     */
    public record Acquired(
            Acquiring code, ServerTime now, long leftNanos, long token, long forgetsNanos, String detail) {}

    /** What comes of the raise. */
    public enum Raising {
        RAISED,
        FOREIGN
    }

    /** A parsed reply to the raise: the last token, or what lies there. */
    public record Raised(Raising code, ServerTime now, String detail) {}

    /** What comes of the join. */
    public enum Joining {
        JOINED,
        YOUNG,
        OTHER,
        FOREIGN
    }

    /** A parsed reply to the join: for how long it does not count, the other longest lease, or what lies there. */
    public record Joined(Joining code, ServerTime now, long leftNanos, String detail) {}

    /** The key of the marker, which is that of no lock. */
    public static String marker(KeyPrefix prefix) {
        return prefix.value() + ":quorum";
    }

    /** Raises the last token under a key. */
    public static ScriptCall raise(String key, long token, Retention retention, long timeoutNanos) {
        return new ScriptCall(RAISE, List.of(key), List.of(Long.toString(token), retention.arg()), timeoutNanos);
    }

    /** Reads a reply to the raise. */
    public static Raised raised(List<String> reply) {
        return new Raised(Reply.code(Raising.class, reply), Reply.now(reply), Reply.text(reply, 2));
    }

    /** Asks whether a server counts. */
    public static ScriptCall join(String marker, LeaseSpan longest, long timeoutNanos) {
        return new ScriptCall(JOIN, List.of(marker), List.of(longest.arg()), timeoutNanos);
    }

    /** Reads a reply to the join. */
    public static Joined joined(List<String> reply) {
        Joining code = Reply.code(Joining.class, reply);
        return new Joined(
                code,
                Reply.now(reply),
                code == Joining.YOUNG ? Reply.number(reply, 2) * 1000 : 0,
                Reply.text(reply, 2));
    }

    /** The id that a call of acquire, renew or release is about. */
    public static String id(ScriptCall call) {
        return call.args().get(ACQUIRE_ID);
    }

    /** The ids of a call of renew_many. */
    public static List<String> ids(ScriptCall renewMany) {
        return renewMany.args().subList(FIRST_MANY_ID, renewMany.args().size());
    }

    /** The lease that a call of acquire asks for. */
    public static long leaseNanos(ScriptCall acquire) {
        return Long.parseLong(acquire.args().get(ACQUIRE_LEASE)) * 1000;
    }

    /** Until when a call of acquire may be granted. */
    public static ServerTime notAfter(ScriptCall acquire) {
        return new ServerTime(Long.parseLong(acquire.args().get(ACQUIRE_NOT_AFTER)));
    }

    /** The same acquire of a lone holder over a quorum, under another id and with another clock. */
    public static ScriptCall acquire(
            ScriptCall acquire, String id, ServerTime notAfter, String marker, LeaseSpan longest, long timeoutNanos) {
        List<String> given = acquire.args();
        List<String> args = new ArrayList<>(given.size());
        args.add(id);
        args.add(given.get(ACQUIRE_LEASE));
        args.add(notAfter.arg());
        args.addAll(given.subList(ACQUIRE_FLOOR, ACQUIRE_CHANNEL));
        args.add(longest.arg());
        return new ScriptCall(ACQUIRE, List.of(acquire.keys().get(0), marker), args, timeoutNanos);
    }

    /** Reads a reply to the acquire. */
    public static Acquired acquired(List<String> reply) {
        Acquiring code = Reply.code(Acquiring.class, reply);
        ServerTime now = Reply.now(reply);
        return switch (code) {
            case GRANTED, YOUNG ->
                new Acquired(
                        code,
                        now,
                        Reply.number(reply, 2) * 1000,
                        Reply.number(reply, 3),
                        Reply.number(reply, 4) * 1000,
                        "");
            case BUSY -> new Acquired(code, now, Reply.number(reply, 2) * 1000, 0, 0, "");
            case CLOCK, EXHAUSTED -> new Acquired(code, now, 0, Reply.number(reply, 2), 0, "");
            case OTHER, FOREIGN, UNMARKED -> new Acquired(code, now, 0, 0, 0, Reply.text(reply, 2));
            case STALE, ENDED -> new Acquired(code, now, 0, 0, 0, "");
        };
    }

    /** The release of an id; until {@code notAfter} a copy of its acquire is to be refused. */
    public static ScriptCall release(
            String key, String id, ServerTime notAfter, Retention retention, long timeoutNanos) {
        // There is no queue, so no receivers are counted. Without "usual" the server reports its time.
        return new ScriptCall(
                ReleaseScript.SCRIPT,
                List.of(key),
                List.of(id, notAfter.arg(), retention.arg(), "0", "0"),
                timeoutNanos);
    }

    /** The same renewal, under another id. */
    public static ScriptCall renew(ScriptCall renew, String id, long timeoutNanos) {
        List<String> args = new ArrayList<>(renew.args());
        args.set(ACQUIRE_ID, id);
        return new ScriptCall(renew.script(), renew.keys(), args, timeoutNanos);
    }

    /** The same renewals, under other ids. */
    public static ScriptCall renewMany(ScriptCall renewMany, List<String> ids, long timeoutNanos) {
        List<String> args = new ArrayList<>(renewMany.args().subList(0, FIRST_MANY_ID));
        args.addAll(ids);
        return new ScriptCall(renewMany.script(), renewMany.keys(), args, timeoutNanos);
    }

    /** The answers to one or many renewals, in the order of the ids; one that failed alone has no time left. */
    public static List<RenewScript.Answer> renewed(ScriptCall call, List<String> reply) {
        if (call.script().name().equals(RenewScript.SCRIPT.name())) {
            return List.of(RenewScript.parse(reply));
        }
        LeaseSpan lease = new LeaseSpan(Long.parseLong(call.args().get(0)) * 1000);
        RenewManyScript.Answers answers =
                RenewManyScript.parse(reply, lease, ids(call).size());
        List<RenewScript.Answer> all = new ArrayList<>();
        for (int i = 0; i < ids(call).size(); i++) {
            all.add(one(answers, i));
        }
        return all;
    }

    /** What is no answer says nothing about the hold: as if it lasted for no time. */
    private static RenewScript.Answer one(RenewManyScript.Answers answers, int entry) {
        try {
            return answers.of(entry);
        } catch (RedisErrorException e) {
            return new RenewScript.Answer(RenewScript.Code.RENEWED, answers.now(), 0, "");
        }
    }

    /** When the server read its clock: in every reply. */
    public static ServerTime now(List<String> reply) {
        return Reply.now(reply);
    }
}
