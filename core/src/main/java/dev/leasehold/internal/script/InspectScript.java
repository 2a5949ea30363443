package dev.leasehold.internal.script;

import dev.leasehold.internal.store.InspectLock;
import dev.leasehold.internal.store.ServerTime;
import dev.leasehold.spi.Script;
import dev.leasehold.spi.ScriptCall;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** {@code inspect.lua}: reads a lock without changing it. */
public final class InspectScript implements ScriptBinding<InspectLock, InspectLock.Answer> {

    /** The resource, as sent. */
    public static final Script SCRIPT = Scripts.load("inspect");

    InspectScript() {}

    @Override
    public ScriptCall call(InspectLock request) {
        return new ScriptCall(SCRIPT, List.of(request.key().key()), List.of(), request.timeoutNanos());
    }

    @Override
    public InspectLock.Answer read(InspectLock request, List<String> reply) {
        InspectLock.Code code = Reply.code(InspectLock.Code.class, reply);
        ServerTime now = Reply.now(reply);
        return switch (code) {
            case FOREIGN -> new InspectLock.Answer(code, now, InspectLock.State.FREE, Reply.text(reply, 2));
            case LOCK -> {
                Map<String, String> fields = new HashMap<>();
                for (int i = 2; i + 1 < reply.size(); i += 2) {
                    fields.put(reply.get(i), reply.get(i + 1));
                }
                yield new InspectLock.Answer(code, now, new LockHash(fields, now).state(), "");
            }
        };
    }
}
