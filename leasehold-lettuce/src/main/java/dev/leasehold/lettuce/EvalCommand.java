package dev.leasehold.lettuce;

import dev.leasehold.spi.ScriptCall;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A call of a script: by its digest, and if the server does not know it, once more by its source, on whatever connection
 * is open then. That is no replay: a script that was not found has not run.
 */
final class EvalCommand extends SentCommand<List<String>> {

    private final LettuceLink<?> link;
    private final @Nullable ScriptCall call;
    private volatile @Nullable EvalCommand bySource;

    /** By digest. */
    EvalCommand(ScriptCall call, LettuceLink<?> link) {
        super(CommandType.EVALSHA, new StringsOutput(), args(call.script().sha1(), call), link.address());
        this.link = link;
        this.call = call;
    }

    /** By source. */
    private EvalCommand(LettuceLink<?> link, ScriptCall call) {
        super(CommandType.EVAL, new StringsOutput(), args(call.script().body(), call), link.address());
        this.link = link;
        this.call = null;
    }

    private static CommandArgs<String, String> args(String script, ScriptCall call) {
        CommandArgs<String, String> args =
                args().add(script).add(call.keys().size()).addKeys(call.keys());
        for (String arg : call.args()) {
            args.add(arg);
        }
        return args;
    }

    @Override
    void refused(String error) {
        if (call != null && error.startsWith("NOSCRIPT")) {
            sendSource(call);
        } else {
            super.refused(error);
        }
    }

    private void sendSource(ScriptCall same) {
        EvalCommand second = new EvalCommand(link, same);
        bySource = second;
        if (isDone()) {
            return;
        }
        second.onComplete((reply, failure) -> {
            if (failure == null) {
                complete(reply);
            } else {
                completeExceptionally(failure);
            }
        });
        link.send(second, same.timeoutNanos());
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        boolean cancelled = super.cancel(mayInterruptIfRunning);
        EvalCommand second = bySource;
        if (second != null) {
            second.cancel(mayInterruptIfRunning);
        }
        return cancelled;
    }
}
