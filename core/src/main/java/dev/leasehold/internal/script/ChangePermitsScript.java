package dev.leasehold.internal.script;

import dev.leasehold.internal.store.ChangePermits;
import dev.leasehold.internal.store.ServerTime;
import dev.leasehold.spi.Script;
import dev.leasehold.spi.ScriptCall;
import java.util.List;

/** {@code change_permits.lua}: changes how many permits a semaphore has. */
public final class ChangePermitsScript implements ScriptBinding<ChangePermits, ChangePermits.Answer> {

    /** The resource, as sent. */
    public static final Script SCRIPT = Scripts.load("change_permits");

    private final String memory;
    private final String countsReceivers;

    ChangePermitsScript(TokenMemory memory, boolean countsReceivers) {
        this.memory = memory.arg();
        this.countsReceivers = Arg.of(countsReceivers);
    }

    @Override
    public ScriptCall call(ChangePermits request) {
        return new ScriptCall(
                SCRIPT,
                List.of(request.key().key()),
                List.of(Integer.toString(request.total()), Arg.of(request.notAfter()), memory, countsReceivers),
                request.timeoutNanos());
    }

    @Override
    public ChangePermits.Answer read(ChangePermits request, List<String> reply) {
        ChangePermits.Code code = Reply.code(ChangePermits.Code.class, reply);
        ServerTime now = Reply.now(reply);
        return switch (code) {
            case CHANGED -> new ChangePermits.Answer(code, now, Math.toIntExact(Reply.number(reply, 2)), "");
            case STALE, FOREIGN -> new ChangePermits.Answer(code, now, 0, Reply.text(reply, 2));
        };
    }
}
