package dev.leasehold.internal.redis.server;

import dev.leasehold.internal.redis.path.PendingCommand;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.ScriptCall;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A call of a script, whose caller gets a flat list of strings. */
abstract class ScriptCommand extends PendingCommand<List<String>> {

    ScriptCommand(ScriptCall call, boolean bySource) {
        super(new ScriptWords(call, bySource));
    }

    @Override
    protected final void replied(@Nullable Object reply) {
        try {
            complete(ScriptWords.strings(reply));
        } catch (RedisErrorException e) {
            completeExceptionally(e);
        }
    }
}
