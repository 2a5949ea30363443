package dev.leasehold.internal.script;

import dev.leasehold.internal.store.ContinueHandOff;
import dev.leasehold.internal.store.ServerTime;
import dev.leasehold.spi.Script;
import dev.leasehold.spi.ScriptCall;
import java.util.List;

/** {@code go_on.lua}: asks whether a process may hand off a lock to its own waiters again. */
public final class GoOnScript implements ScriptBinding<ContinueHandOff, ContinueHandOff.Answer> {

    /** The resource, as sent. */
    public static final Script SCRIPT = Scripts.load("go_on");

    private final String memory;

    GoOnScript(TokenMemory memory) {
        this.memory = memory.arg();
    }

    @Override
    public ScriptCall call(ContinueHandOff request) {
        List<String> args = List.of(
                request.id().value(),
                Arg.of(request.lease()),
                memory,
                Long.toString(request.position()),
                Integer.toString(request.tokens()));
        return new ScriptCall(SCRIPT, List.of(request.key().key()), args, request.timeoutNanos());
    }

    @Override
    public ContinueHandOff.Answer read(ContinueHandOff request, List<String> reply) {
        return answer(reply);
    }

    private static ContinueHandOff.Answer answer(List<String> reply) {
        ContinueHandOff.Code code = Reply.code(ContinueHandOff.Code.class, reply);
        ServerTime now = Reply.now(reply);
        return switch (code) {
            case GOING ->
                new ContinueHandOff.Answer(
                        code, now, Reply.nanos(reply, 2), Reply.number(reply, 3), Reply.number(reply, 4), "");
            case GONE, FOREIGN -> new ContinueHandOff.Answer(code, now, 0, 0, 0, Reply.text(reply, 2));
            case WANTED, SPENT, ENDED -> new ContinueHandOff.Answer(code, now, 0, 0, 0, "");
        };
    }

    /** {@code retain.lua}: asks whether a process may retain a hold between two uses; it answers as {@code go_on.lua} does. */
    public static final class Retain implements ScriptBinding<ContinueHandOff.Retain, ContinueHandOff.Answer> {

        /** The resource, as sent. */
        public static final Script SCRIPT = Scripts.load("retain");

        private final String memory;

        Retain(TokenMemory memory) {
            this.memory = memory.arg();
        }

        @Override
        public ScriptCall call(ContinueHandOff.Retain request) {
            List<String> args = List.of(
                    request.id().value(),
                    Arg.of(request.lease()),
                    memory,
                    Long.toString(request.lastToken()),
                    request.channel(),
                    Arg.of(request.again()));
            return new ScriptCall(SCRIPT, List.of(request.key().key()), args, request.timeoutNanos());
        }

        @Override
        public ContinueHandOff.Answer read(ContinueHandOff.Retain request, List<String> reply) {
            return answer(reply);
        }
    }
}
