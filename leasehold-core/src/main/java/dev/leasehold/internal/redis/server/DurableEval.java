package dev.leasehold.internal.redis.server;

import dev.leasehold.internal.redis.path.PendingCommand;
import dev.leasehold.internal.redis.server.Servers.Detour;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.ScriptCall;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A call of a script that replicas are to have: by its source, and only where it is sent first. By its digest it could
 * be unknown, and elsewhere it would be on another connection: then the WAIT behind it would count for nothing. A call
 * that was sent to the wrong server has not run, and its caller tries again.
 */
public final class DurableEval extends PendingCommand<List<String>> {

    private final Servers servers;
    private final Server server;

    /** Not sent yet. */
    public DurableEval(ScriptCall call, Servers servers, Server server) {
        super(ScriptWords.of(call, true));
        this.servers = servers;
        this.server = server;
    }

    @Override
    protected void replied(@Nullable Object reply) {
        try {
            complete(ScriptWords.strings(reply));
        } catch (RedisErrorException e) {
            completeExceptionally(e);
        }
    }

    @Override
    protected void refused(RedisErrorException refusal) {
        // So that the next attempt goes to the right server.
        Detour unused = servers.redirect(String.valueOf(refusal.getMessage()), server);
        super.refused(refusal);
    }
}
