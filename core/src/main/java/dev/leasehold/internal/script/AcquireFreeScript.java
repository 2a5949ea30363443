package dev.leasehold.internal.script;

import dev.leasehold.internal.store.AcquireFreeLock;
import dev.leasehold.internal.store.AcquireHold;
import dev.leasehold.internal.store.LeaseSpan;
import dev.leasehold.spi.Script;
import dev.leasehold.spi.ScriptCall;
import java.util.ArrayList;
import java.util.List;

/** {@code acquire_free.lua}: acquires a lock that is free. */
public final class AcquireFreeScript implements ScriptBinding<AcquireFreeLock, AcquireHold.Answer> {

    /** The resource, as sent. */
    public static final Script SCRIPT = Scripts.load("acquire_free");

    /** The number of arguments, the label included. */
    static final int ARGUMENTS = 7;

    private final TokenMemory memory;

    /** The texts of the lease that was requested last, which most requests have in common. */
    private volatile LeaseTexts lastLease;

    private record LeaseTexts(LeaseSpan lease, String length, String expiry) {}

    AcquireFreeScript(TokenMemory memory) {
        this.memory = memory;
        this.lastLease = textsOf(LeaseSpan.CONFIRM);
    }

    private LeaseTexts textsOf(LeaseSpan lease) {
        return new LeaseTexts(lease, Arg.of(lease), memory.expiryOf(lease));
    }

    @Override
    public ScriptCall call(AcquireFreeLock request) {
        List<String> args = new ArrayList<>(ARGUMENTS);
        addTo(args, request);
        if (request.holder().label().isEmpty()) {
            args.remove(ARGUMENTS - 1);
        }
        return new ScriptCall(SCRIPT, List.of(request.key().key()), args, request.timeoutNanos());
    }

    /** Adds the arguments of a request to those of a call, the label also if it is empty. */
    void addTo(List<String> args, AcquireFreeLock request) {
        LeaseTexts lease = lastLease;
        if (!lease.lease.equals(request.lease())) {
            lease = textsOf(request.lease());
            lastLease = lease;
        }
        args.add(request.id().value());
        args.add(lease.length);
        args.add(Arg.of(request.notAfter()));
        args.add(Arg.of(request.floor()));
        args.add(lease.expiry);
        args.add(request.holder().who());
        args.add(request.holder().label());
    }

    @Override
    public AcquireHold.Answer read(AcquireFreeLock request, List<String> reply) {
        return AcquireScript.answer(reply, request.lease());
    }
}
