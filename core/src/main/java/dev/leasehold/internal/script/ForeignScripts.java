package dev.leasehold.internal.script;

import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.PlainKey;
import dev.leasehold.internal.key.RedissonKey;
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

/**
 * The scripts of locks in a format of others, whose keys have room for nothing but the holder. Their answers are those of other locks.
 */
public final class ForeignScripts {

    /** Those of plain locks, {@code plain_*.lua}. */
    public static final ForeignScripts PLAIN = new ForeignScripts("plain");

    /** Those of locks that are shared with Redisson, {@code redisson_*.lua}. */
    public static final ForeignScripts REDISSON = new ForeignScripts("redisson");

    private final Script acquire;
    private final Script renew;
    private final Script renewMany;
    private final Script release;
    private final Script forceRelease;
    private final Script inspect;

    private ForeignScripts(String format) {
        acquire = Scripts.load(format + "_acquire");
        renew = Scripts.loadTracked(format + "_renew");
        renewMany = Scripts.loadTracked(format + "_renew_many");
        release = Scripts.load(format + "_release");
        forceRelease = Scripts.load(format + "_force_release");
        inspect = Scripts.load(format + "_inspect");
    }

    /** {@code *_acquire.lua}, as sent. */
    public Script acquire() {
        return acquire;
    }

    /** {@code *_renew.lua}, as sent. */
    public Script renew() {
        return renew;
    }

    /** {@code *_renew_many.lua}, as sent. */
    public Script renewMany() {
        return renewMany;
    }

    /** {@code *_release.lua}, as sent. */
    public Script release() {
        return release;
    }

    /** {@code *_force_release.lua}, as sent. */
    public Script forceRelease() {
        return forceRelease;
    }

    /** {@code *_inspect.lua}, as sent. */
    public Script inspect() {
        return inspect;
    }

    private static ScriptCall call(Script script, LockRequest<?> request, String... args) {
        return new ScriptCall(script, List.of(request.key().key()), List.of(args), request.timeoutNanos());
    }

    /** Returns the key of a lock, and that of its tokens if it has any. */
    private static List<String> withTokenKey(LockKey key) {
        boolean fenced = key.kind().hasTokens() && key instanceof RedissonKey;
        return fenced ? List.of(key.key(), ((RedissonKey) key).tokenKey()) : List.of(key.key());
    }

    /** Returns where waiters hear of a release; empty if nowhere. */
    private static String channelOf(LockKey key) {
        if (key instanceof RedissonKey redisson) {
            return redisson.channel();
        }
        String channel = key instanceof PlainKey plain ? plain.channel() : null;
        return channel == null ? "" : channel;
    }

    /** Acquires a lock, without what its key has no room for. */
    record AcquireBinding(ForeignScripts scripts) implements ScriptBinding<AcquireHold, AcquireHold.Answer> {

        @Override
        public ScriptCall call(AcquireHold request) {
            List<String> args = List.of(
                    request.id().value(),
                    Arg.of(request.lease()),
                    Arg.of(request.notAfter()),
                    request.holder().who().replace('\n', ' '),
                    request.holder().label());
            return new ScriptCall(scripts.acquire, withTokenKey(request.key()), args, request.timeoutNanos());
        }

        @Override
        public AcquireHold.Answer read(AcquireHold request, List<String> reply) {
            return AcquireScript.answer(reply, request.lease());
        }
    }

    /** Renews a lock. */
    record RenewBinding(ForeignScripts scripts) implements ScriptBinding<RenewHold, RenewHold.Answer> {

        @Override
        public ScriptCall call(RenewHold request) {
            return ForeignScripts.call(scripts.renew, request, request.id().value(), Arg.of(request.lease()));
        }

        @Override
        public RenewHold.Answer read(RenewHold request, List<String> reply) {
            return RenewScript.answer(reply);
        }
    }

    /** Releases a lock. */
    record ReleaseBinding(ForeignScripts scripts) implements ScriptBinding<ReleaseHold, ReleaseHold.Answer> {

        @Override
        public ScriptCall call(ReleaseHold request) {
            return ForeignScripts.call(scripts.release, request, request.id().value(), channelOf(request.key()));
        }

        @Override
        public ReleaseHold.Answer read(ReleaseHold request, List<String> reply) {
            return ReleaseScript.answer(reply);
        }
    }

    /** Takes a lock away. */
    record ForceReleaseBinding(ForeignScripts scripts) implements ScriptBinding<ForceRelease, ForceRelease.Answer> {

        @Override
        public ScriptCall call(ForceRelease request) {
            LockKey key = request.key();
            String notAfter = Arg.of(request.notAfter());
            List<String> args = key.kind().isRedisson()
                    ? List.of(notAfter, Long.toString(request.token()), channelOf(key))
                    : List.of(notAfter, channelOf(key), Arg.of(key instanceof PlainKey plain && plain.isAnyValue()));
            return new ScriptCall(scripts.forceRelease, withTokenKey(key), args, request.timeoutNanos());
        }

        @Override
        public ForceRelease.Answer read(ForceRelease request, List<String> reply) {
            return ForceReleaseScript.answer(reply);
        }
    }

    /** Reads a lock. */
    record InspectBinding(ForeignScripts scripts) implements ScriptBinding<InspectLock, InspectLock.Answer> {

        /** In place of a token. */
        private static final String UNREADABLE = "unreadable";

        /** The first word of a reply. */
        enum Code {
            HELD,
            FREE,
            FOREIGN
        }

        @Override
        public ScriptCall call(InspectLock request) {
            return new ScriptCall(scripts.inspect, withTokenKey(request.key()), List.of(), request.timeoutNanos());
        }

        @Override
        public InspectLock.Answer read(InspectLock request, List<String> reply) {
            Code code = Reply.code(Code.class, reply);
            ServerTime now = Reply.now(reply);
            String detail = Reply.text(reply, 2);
            return switch (code) {
                case HELD -> {
                    boolean readable = !Reply.text(reply, 4).equals(UNREADABLE);
                    yield HolderText.of(detail)
                            .answer(
                                    now,
                                    Reply.nanos(reply, 3),
                                    readable ? Reply.number(reply, 4) : 0,
                                    readable ? "" : "cannot be read: the fencing token");
                }
                case FREE -> new InspectLock.Answer(InspectLock.Code.LOCK, now, InspectLock.State.FREE, "");
                case FOREIGN -> new InspectLock.Answer(InspectLock.Code.FOREIGN, now, InspectLock.State.FREE, detail);
            };
        }
    }
}
