package dev.leasehold.internal.script;

import dev.leasehold.internal.store.ServerTime;
import dev.leasehold.spi.Script;
import dev.leasehold.spi.ScriptCall;
import java.util.List;

/** The scripts for one server of a quorum, beside those of any lock. */
public final class QuorumScripts {

    /** {@code quorum_acquire.lua}, as sent. */
    public static final Script ACQUIRE = Scripts.load("quorum_acquire");

    /** {@code quorum_raise.lua}, as sent. */
    public static final Script RAISE = Scripts.load("quorum_raise");

    /** {@code quorum_join.lua}, as sent. */
    public static final Script JOIN = Scripts.load("quorum_join");

    private QuorumScripts() {}

    /** Acquires a lock on one server, and asks whether that server counts. */
    static final class AcquireBinding implements ScriptBinding<QuorumRequest.Acquire, QuorumRequest.Acquired> {

        private final String memory;

        AcquireBinding(TokenMemory memory) {
            this.memory = memory.arg();
        }

        @Override
        public ScriptCall call(QuorumRequest.Acquire request) {
            return new ScriptCall(
                    ACQUIRE,
                    List.of(request.key().key(), request.marker()),
                    List.of(
                            request.id().value(),
                            Arg.of(request.lease()),
                            Arg.of(request.notAfter()),
                            Arg.of(request.floor()),
                            memory,
                            request.holder().who(),
                            request.holder().label(),
                            Arg.of(request.longest())),
                    request.timeoutNanos());
        }

        @Override
        public QuorumRequest.Acquired read(QuorumRequest.Acquire request, List<String> reply) {
            QuorumRequest.Acquiring code = Reply.code(QuorumRequest.Acquiring.class, reply);
            ServerTime now = Reply.now(reply);
            return switch (code) {
                case GRANTED, YOUNG ->
                    new QuorumRequest.Acquired(
                            code, now, Reply.nanos(reply, 2), Reply.number(reply, 3), Reply.nanos(reply, 4), "");
                case BUSY -> new QuorumRequest.Acquired(code, now, Reply.nanos(reply, 2), 0, 0, "");
                case CLOCK, EXHAUSTED -> new QuorumRequest.Acquired(code, now, 0, Reply.number(reply, 2), 0, "");
                case OTHER, FOREIGN, UNMARKED -> new QuorumRequest.Acquired(code, now, 0, 0, 0, Reply.text(reply, 2));
                case STALE, ENDED -> new QuorumRequest.Acquired(code, now, 0, 0, 0, "");
            };
        }
    }

    /** Raises the last token of a lock. */
    static final class RaiseBinding implements ScriptBinding<QuorumRequest.Raise, QuorumRequest.Raised> {

        private final String memory;

        RaiseBinding(TokenMemory memory) {
            this.memory = memory.arg();
        }

        @Override
        public ScriptCall call(QuorumRequest.Raise request) {
            return new ScriptCall(
                    RAISE,
                    List.of(request.key().key()),
                    List.of(Long.toString(request.token()), memory),
                    request.timeoutNanos());
        }

        @Override
        public QuorumRequest.Raised read(QuorumRequest.Raise request, List<String> reply) {
            return new QuorumRequest.Raised(
                    Reply.code(QuorumRequest.Raising.class, reply), Reply.now(reply), Reply.text(reply, 2));
        }
    }

    /** Asks whether a server counts. */
    static final class JoinBinding implements ScriptBinding<QuorumRequest.Join, QuorumRequest.Joined> {

        @Override
        public ScriptCall call(QuorumRequest.Join request) {
            return new ScriptCall(
                    JOIN, List.of(request.marker()), List.of(Arg.of(request.longest())), request.timeoutNanos());
        }

        @Override
        public QuorumRequest.Joined read(QuorumRequest.Join request, List<String> reply) {
            QuorumRequest.Joining code = Reply.code(QuorumRequest.Joining.class, reply);
            return new QuorumRequest.Joined(
                    code,
                    Reply.now(reply),
                    code == QuorumRequest.Joining.YOUNG ? Reply.nanos(reply, 2) : 0,
                    Reply.text(reply, 2));
        }
    }
}
