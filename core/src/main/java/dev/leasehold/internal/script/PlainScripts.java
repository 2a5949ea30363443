package dev.leasehold.internal.script;

import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.Holder;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.OwnerKey;
import dev.leasehold.spi.Script;
import dev.leasehold.spi.ScriptCall;
import java.util.List;
import java.util.stream.Stream;

/** Those of plain locks, which have room for nothing but their holder. */
public final class PlainScripts implements HoldScripts {

    /** {@code plain_acquire.lua}, as sent. */
    public static final Script ACQUIRE = Scripts.load("plain_acquire");

    /** {@code plain_renew.lua}, as sent. */
    public static final Script RENEW = Scripts.load("plain_renew");

    /** {@code plain_renew_many.lua}, as sent. */
    public static final Script RENEW_MANY = Scripts.load("plain_renew_many");

    /** {@code plain_release.lua}, as sent. */
    public static final Script RELEASE = Scripts.load("plain_release");

    /** {@code plain_force_release.lua}, as sent. */
    public static final Script FORCE_RELEASE = Scripts.load("plain_force_release");

    /** {@code plain_inspect.lua}, as sent. */
    public static final Script INSPECT = Scripts.load("plain_inspect");

    @Override
    public ScriptCall acquire(
            LockKey key,
            AcquisitionId id,
            OwnerKey owner,
            LeaseSpan lease,
            ServerTime notAfter,
            TokenFloor floor,
            Holder holder,
            Waiter waiter,
            long timeoutNanos) {
        String who = holder.who().replace('\n', ' ');
        return call(ACQUIRE, key, timeoutNanos, id.value(), lease.arg(), notAfter.arg(), who, holder.label());
    }

    @Override
    public ScriptCall renew(LockKey key, AcquisitionId id, LeaseSpan lease, long timeoutNanos) {
        return call(RENEW, key, timeoutNanos, id.value(), lease.arg());
    }

    @Override
    public ScriptCall renewMany(LeaseSpan lease, List<RenewManyScript.Entry> entries, long timeoutNanos) {
        List<String> keys = entries.stream().map(entry -> entry.key().key()).toList();
        Stream<String> ids = entries.stream().map(entry -> entry.id().value());
        return new ScriptCall(
                RENEW_MANY, keys, Stream.concat(Stream.of(lease.arg()), ids).toList(), timeoutNanos);
    }

    @Override
    public ScriptCall release(
            LockKey key, AcquisitionId id, LeaseSpan longest, boolean lean, ServerTime notAfter, long timeoutNanos) {
        return call(RELEASE, key, timeoutNanos, id.value());
    }

    @Override
    public ScriptCall forceRelease(LockKey key, long timeoutNanos) {
        return call(FORCE_RELEASE, key, timeoutNanos);
    }

    /** Answered as {@link #inspected} reads it. */
    public static ScriptCall inspect(LockKey key, long timeoutNanos) {
        return call(INSPECT, key, timeoutNanos);
    }

    private static ScriptCall call(Script script, LockKey key, long timeoutNanos, String... args) {
        return new ScriptCall(script, List.of(key.key()), List.of(args), timeoutNanos);
    }

    /** What is found under the key; the header of the script says what each means. */
    public enum Found {
        HELD,
        FREE,
        FOREIGN
    }

    /** A parsed reply to the inspection: the detail is the holder's value, or what lies there instead. */
    public record Inspected(Found code, ServerTime now, String detail, long leftNanos) {}

    /** Reads a reply to the inspection. */
    public static Inspected inspected(List<String> reply) {
        return new Inspected(
                Reply.code(Found.class, reply), Reply.now(reply), Reply.text(reply, 2), Reply.number(reply, 3) * 1000);
    }
}
