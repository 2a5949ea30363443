package dev.leasehold.internal.redis.server;

import dev.leasehold.internal.redis.server.Servers.Detour;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.ScriptCall;

/**
 * A call of a script that replicas are to have: by its source, and only where it is sent first. By its digest it could
 * be unknown, and elsewhere it would be on another connection: then the WAIT behind it would count for nothing. A call
 * that was sent to the wrong server has not run, and its caller tries again.
 */
public final class DurableEval extends ScriptCommand {

    private final Servers servers;
    private final Server server;

    /** Not sent yet. */
    public DurableEval(ScriptCall call, Servers servers, Server server) {
        super(call, true);
        this.servers = servers;
        this.server = server;
    }

    @Override
    protected void refused(RedisErrorException refusal) {
        // So that the next attempt goes to the right server.
        Detour unused = servers.redirect(refusal, server);
        super.refused(server.named(refusal));
    }
}
