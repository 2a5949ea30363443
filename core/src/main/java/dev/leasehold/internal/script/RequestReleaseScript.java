package dev.leasehold.internal.script;

import dev.leasehold.internal.store.RequestRelease;
import dev.leasehold.spi.Script;
import dev.leasehold.spi.ScriptCall;
import java.util.List;

/** {@code request_release.lua}: asks the holder of a lock to release it. */
public final class RequestReleaseScript implements ScriptBinding<RequestRelease, RequestRelease.Answer> {

    /** The resource, as sent. */
    public static final Script SCRIPT = Scripts.load("request_release");

    private final String memory;

    RequestReleaseScript(TokenMemory memory) {
        this.memory = memory.arg();
    }

    @Override
    public ScriptCall call(RequestRelease request) {
        return new ScriptCall(
                SCRIPT,
                List.of(request.key().key()),
                List.of(Arg.of(request.notAfter()), memory),
                request.timeoutNanos());
    }

    @Override
    public RequestRelease.Answer read(RequestRelease request, List<String> reply) {
        return new RequestRelease.Answer(
                Reply.code(RequestRelease.Code.class, reply), Reply.now(reply), Reply.text(reply, 2));
    }
}
