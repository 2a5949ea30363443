package dev.leasehold.internal.script;

import dev.leasehold.internal.store.AcquireFreeLock;
import dev.leasehold.internal.store.AcquireHold;
import dev.leasehold.internal.store.LeaseSpan;
import dev.leasehold.spi.Script;
import dev.leasehold.spi.ScriptCall;
import java.util.List;

/** {@code acquire_free.lua}: acquires a lock that is free. */
public final class AcquireFreeScript implements ScriptBinding<AcquireFreeLock, AcquireHold.Answer> {

    /** The resource, as sent. */
    public static final Script SCRIPT = Scripts.load("acquire_free");

    private final Retention retention;

    /** The texts of the lease that was requested last, which most requests have in common. */
    private volatile LeaseTexts lastLease;

    private record LeaseTexts(LeaseSpan lease, String length, String expiry) {}

    AcquireFreeScript(Retention retention) {
        this.retention = retention;
        this.lastLease = textsOf(LeaseSpan.CONFIRM);
    }

    private LeaseTexts textsOf(LeaseSpan lease) {
        return new LeaseTexts(lease, Arg.of(lease), retention.expiryOf(lease));
    }

    @Override
    public ScriptCall call(AcquireFreeLock request) {
        LeaseTexts lease = lastLease;
        if (!lease.lease.equals(request.lease())) {
            lease = textsOf(request.lease());
            lastLease = lease;
        }
        String id = request.id().value();
        String notAfter = Arg.of(request.notAfter());
        String floor = Arg.of(request.floor());
        String who = request.holder().who();
        String label = request.holder().label();
        List<String> args = label.isEmpty()
                ? List.of(id, lease.length, notAfter, floor, lease.expiry, who)
                : List.of(id, lease.length, notAfter, floor, lease.expiry, who, label);
        return new ScriptCall(SCRIPT, List.of(request.key().key()), args, request.timeoutNanos());
    }

    @Override
    public AcquireHold.Answer read(AcquireFreeLock request, List<String> reply) {
        return AcquireScript.answer(reply, request.lease());
    }
}
