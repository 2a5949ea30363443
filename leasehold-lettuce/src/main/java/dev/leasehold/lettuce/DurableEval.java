package dev.leasehold.lettuce;

import dev.leasehold.spi.ScriptCall;
import io.lettuce.core.protocol.CommandType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A call of a script that replicas are to have: by its source, and only where it is sent first. By its digest it could
 * be unknown, and elsewhere it would be on another connection: then the WAIT behind it would speak of nothing. What was
 * sent to the wrong node has not run, and is tried again by the waiter.
 */
final class DurableEval extends SentCommand<List<String>> {

    private final Servers servers;
    private final LettuceNode node;

    DurableEval(ScriptCall call, Servers servers, LettuceNode node) {
        super(
                CommandType.EVAL,
                new StringsOutput(),
                EvalCommand.args(call.script().body(), call),
                node.address());
        this.servers = servers;
        this.node = node;
    }

    @Override
    void refused(String error) {
        // So that the next try goes to the right one.
        Servers.@Nullable Detour unused = servers.redirect(error, node);
        super.refused(error);
    }
}
