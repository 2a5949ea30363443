package dev.leasehold.internal.script;

import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.store.LeaveQueue;
import dev.leasehold.spi.Script;
import dev.leasehold.spi.ScriptCall;
import java.util.List;

/** {@code leave.lua}: gives up a position in the queue. */
public final class LeaveScript implements ScriptBinding<LeaveQueue, LeaveQueue.Answer> {

    /** The resource, as sent. */
    public static final Script SCRIPT = Scripts.load("leave");

    private final String countsReceivers;

    LeaveScript(boolean countsReceivers) {
        this.countsReceivers = Arg.of(countsReceivers);
    }

    @Override
    public ScriptCall call(LeaveQueue request) {
        AcquisitionId taker = request.taker();
        return new ScriptCall(
                SCRIPT,
                List.of(request.key().key()),
                List.of(
                        Long.toString(request.waiter().position()),
                        request.waiter().channel(),
                        countsReceivers,
                        taker == null ? "" : taker.value()),
                request.timeoutNanos());
    }

    @Override
    public LeaveQueue.Answer read(LeaveQueue request, List<String> reply) {
        return new LeaveQueue.Answer(Reply.code(LeaveQueue.Code.class, reply), Reply.now(reply), Reply.text(reply, 2));
    }
}
