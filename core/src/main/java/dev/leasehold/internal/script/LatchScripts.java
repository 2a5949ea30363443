package dev.leasehold.internal.script;

import dev.leasehold.internal.key.LatchKey;
import dev.leasehold.internal.store.CountDown;
import dev.leasehold.internal.store.LockRequest;
import dev.leasehold.internal.store.ReadLatch;
import dev.leasehold.internal.store.ServerTime;
import dev.leasehold.internal.store.SetLatch;
import dev.leasehold.internal.store.Waiter;
import dev.leasehold.spi.Script;
import dev.leasehold.spi.ScriptCall;
import java.util.ArrayList;
import java.util.List;

/** The scripts of latches. */
public final class LatchScripts {

    /** {@code latch_set.lua}, as sent. */
    public static final Script SET = Scripts.load("latch_set");

    /** {@code latch_count_down.lua}, as sent. */
    public static final Script COUNT_DOWN = Scripts.load("latch_count_down");

    /** {@code latch_look.lua}, as sent. */
    public static final Script LOOK = Scripts.load("latch_look");

    private LatchScripts() {}

    /** The round is the last argument, and absent for a latch without rounds. */
    private static ScriptCall call(Script script, LatchKey latch, LockRequest<?> request, String... args) {
        List<String> all = new ArrayList<>(List.of(args));
        if (latch.hasRound()) {
            all.add(latch.round());
        }
        return new ScriptCall(script, List.of(latch.key().key()), all, request.timeoutNanos());
    }

    /** Sets the count of a latch, or of a round. */
    static final class SetBinding implements ScriptBinding<SetLatch, SetLatch.Answer> {

        @Override
        public ScriptCall call(SetLatch request) {
            return LatchScripts.call(
                    SET,
                    request.latch(),
                    request,
                    request.id().field(),
                    Integer.toString(request.count()),
                    Arg.of(request.expiry()),
                    Arg.of(request.notAfter()));
        }

        @Override
        public SetLatch.Answer read(SetLatch request, List<String> reply) {
            return new SetLatch.Answer(Reply.code(SetLatch.Code.class, reply), Reply.now(reply), Reply.text(reply, 2));
        }
    }

    /** Counts down, once for each id. */
    static final class CountDownBinding implements ScriptBinding<CountDown, CountDown.Answer> {

        @Override
        public ScriptCall call(CountDown request) {
            return LatchScripts.call(
                    COUNT_DOWN, request.latch(), request, request.id().field(), Arg.of(request.notAfter()));
        }

        @Override
        public CountDown.Answer read(CountDown request, List<String> reply) {
            CountDown.Code code = Reply.code(CountDown.Code.class, reply);
            return switch (code) {
                case COUNTED ->
                    new CountDown.Answer(code, Reply.now(reply), Math.toIntExact(Reply.number(reply, 2)), "");
                case OVER, NONE, STALE, FOREIGN ->
                    new CountDown.Answer(code, Reply.now(reply), 0, Reply.text(reply, 2));
            };
        }
    }

    /** Reads a latch; a waiter without a channel is not registered. */
    static final class ReadBinding implements ScriptBinding<ReadLatch, ReadLatch.Answer> {

        private static final long NO_ROUND = -1;

        @Override
        public ScriptCall call(ReadLatch request) {
            Waiter waiter = request.waiter();
            return LatchScripts.call(
                    LOOK, request.latch(), request, waiter.channel(), Long.toString(waiter.position()));
        }

        @Override
        public ReadLatch.Answer read(ReadLatch request, List<String> reply) {
            ReadLatch.Code code = Reply.code(ReadLatch.Code.class, reply);
            ServerTime now = Reply.now(reply);
            return switch (code) {
                case COUNTING ->
                    new ReadLatch.Answer(
                            code,
                            now,
                            Reply.nanos(reply, 2),
                            Math.toIntExact(Reply.number(reply, 3)),
                            Reply.number(reply, 4),
                            "",
                            round(reply, 5));
                case REACHED -> new ReadLatch.Answer(code, now, 0, 0, 0, "", round(reply, 2));
                case NONE, FOREIGN -> new ReadLatch.Answer(code, now, 0, 0, 0, Reply.text(reply, 2), NO_ROUND);
            };
        }

        private static long round(List<String> reply, int at) {
            return Reply.text(reply, at).isEmpty() ? NO_ROUND : Reply.number(reply, at);
        }
    }
}
