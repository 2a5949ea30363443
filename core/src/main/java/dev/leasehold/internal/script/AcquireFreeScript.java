package dev.leasehold.internal.script;

import dev.leasehold.internal.store.AcquireFreeLock;
import dev.leasehold.internal.store.AcquireHold;
import dev.leasehold.spi.Script;
import dev.leasehold.spi.ScriptCall;
import java.util.ArrayList;
import java.util.List;

/** {@code acquire_free.lua}: acquires a lock that is free. */
public final class AcquireFreeScript implements ScriptBinding<AcquireFreeLock, AcquireHold.Answer> {

    /** The resource, as sent. */
    public static final Script SCRIPT = Scripts.load("acquire_free");

    private final Retention retention;

    AcquireFreeScript(Retention retention) {
        this.retention = retention;
    }

    @Override
    public ScriptCall call(AcquireFreeLock request) {
        List<String> args = new ArrayList<>(List.of(
                request.id().value(),
                Arg.of(request.lease()),
                Arg.of(request.notAfter()),
                Arg.of(request.floor()),
                retention.expiryOf(request.lease()),
                request.holder().who()));
        if (!request.holder().label().isEmpty()) {
            args.add(request.holder().label());
        }
        return new ScriptCall(SCRIPT, List.of(request.key().key()), args, request.timeoutNanos());
    }

    @Override
    public AcquireHold.Answer read(AcquireFreeLock request, List<String> reply) {
        return AcquireScript.answer(reply, request.lease());
    }
}
