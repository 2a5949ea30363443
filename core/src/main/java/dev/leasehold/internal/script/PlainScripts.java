package dev.leasehold.internal.script;

import dev.leasehold.internal.store.AcquireHold;
import dev.leasehold.internal.store.ForceRelease;
import dev.leasehold.internal.store.InspectLock;
import dev.leasehold.internal.store.LockRequest;
import dev.leasehold.internal.store.ReleaseHold;
import dev.leasehold.internal.store.RenewHold;
import dev.leasehold.internal.store.ServerTime;
import dev.leasehold.spi.Script;
import dev.leasehold.spi.ScriptCall;
import java.util.List;

/** The scripts of plain locks, whose keys have room for nothing but the holder. Their answers are those of other locks. */
public final class PlainScripts {

    /** {@code plain_acquire.lua}, as sent. */
    public static final Script ACQUIRE = Scripts.load("plain_acquire");

    /** {@code plain_renew.lua}, as sent. */
    public static final Script RENEW = Scripts.loadTracked("plain_renew");

    /** {@code plain_release.lua}, as sent. */
    public static final Script RELEASE = Scripts.load("plain_release");

    /** {@code plain_force_release.lua}, as sent. */
    public static final Script FORCE_RELEASE = Scripts.load("plain_force_release");

    /** {@code plain_inspect.lua}, as sent. */
    public static final Script INSPECT = Scripts.load("plain_inspect");

    private PlainScripts() {}

    private static ScriptCall call(Script script, LockRequest<?> request, String... args) {
        return new ScriptCall(script, List.of(request.key().key()), List.of(args), request.timeoutNanos());
    }

    /** Acquires a plain lock, without what its key has no room for. */
    static final class AcquireBinding implements ScriptBinding<AcquireHold, AcquireHold.Answer> {

        @Override
        public ScriptCall call(AcquireHold request) {
            return PlainScripts.call(
                    ACQUIRE,
                    request,
                    request.id().value(),
                    Arg.of(request.lease()),
                    Arg.of(request.notAfter()),
                    request.holder().who().replace('\n', ' '),
                    request.holder().label());
        }

        @Override
        public AcquireHold.Answer read(AcquireHold request, List<String> reply) {
            return AcquireScript.answer(reply, request.lease());
        }
    }

    /** Renews a plain lock. */
    static final class RenewBinding implements ScriptBinding<RenewHold, RenewHold.Answer> {

        @Override
        public ScriptCall call(RenewHold request) {
            return PlainScripts.call(RENEW, request, request.id().value(), Arg.of(request.lease()));
        }

        @Override
        public RenewHold.Answer read(RenewHold request, List<String> reply) {
            return RenewScript.answer(reply);
        }
    }

    /** Releases a plain lock. */
    static final class ReleaseBinding implements ScriptBinding<ReleaseHold, ReleaseHold.Answer> {

        @Override
        public ScriptCall call(ReleaseHold request) {
            return PlainScripts.call(RELEASE, request, request.id().value());
        }

        @Override
        public ReleaseHold.Answer read(ReleaseHold request, List<String> reply) {
            return ReleaseScript.answer(reply);
        }
    }

    /** Takes a plain lock away. */
    static final class ForceReleaseBinding implements ScriptBinding<ForceRelease, ForceRelease.Answer> {

        @Override
        public ScriptCall call(ForceRelease request) {
            return PlainScripts.call(FORCE_RELEASE, request);
        }

        @Override
        public ForceRelease.Answer read(ForceRelease request, List<String> reply) {
            return ForceReleaseScript.answer(reply);
        }
    }

    /** Reads a plain lock. */
    static final class InspectBinding implements ScriptBinding<InspectLock, InspectLock.Answer> {

        /** The first word of a reply. */
        enum Code {
            HELD,
            FREE,
            FOREIGN
        }

        @Override
        public ScriptCall call(InspectLock request) {
            return PlainScripts.call(INSPECT, request);
        }

        @Override
        public InspectLock.Answer read(InspectLock request, List<String> reply) {
            Code code = Reply.code(Code.class, reply);
            ServerTime now = Reply.now(reply);
            String detail = Reply.text(reply, 2);
            return switch (code) {
                case HELD -> PlainValue.of(detail).answer(now, Reply.number(reply, 3) * 1000);
                case FREE -> new InspectLock.Answer(InspectLock.Code.LOCK, now, InspectLock.State.FREE, "");
                case FOREIGN -> new InspectLock.Answer(InspectLock.Code.FOREIGN, now, InspectLock.State.FREE, detail);
            };
        }
    }
}
