package dev.leasehold.internal.redis.server;

import dev.leasehold.internal.redis.path.CommandPath;
import dev.leasehold.internal.redis.path.TextCommand;
import dev.leasehold.internal.redis.server.Servers.Detour;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.ScriptCall;
import dev.leasehold.spi.TimeSource;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A call of a script: by its digest, and if the server does not know it, once more by its source; and if the server sends
 * it elsewhere, once more there. That is no replay: a script that was not found, or was sent elsewhere, has not run.
 */
public sealed class EvalCommand extends ScriptCommand permits DurableEval {

    /** A slot that moves to and fro while the call follows it is rarer than a cluster whose nodes do not agree. */
    private static final int MAX_DETOURS = 5;

    private final ScriptCall call;
    private final Servers servers;
    private final Leg leg;
    private final long deadline;
    private volatile @Nullable EvalCommand next;

    /**
     * Not sent yet.
     *
     * @param way over which path it is sent
     */
    public EvalCommand(ScriptCall call, Servers servers, Way way) {
        this(call, servers, servers.serverOf(call), way);
    }

    EvalCommand(ScriptCall call, Servers servers, Server server, Way way) {
        this(call, servers, server.first(way), TimeSource.system().nanoTime() + call.timeoutNanos());
    }

    /** One more sending of a call that has not run. */
    EvalCommand(ScriptCall call, Servers servers, Leg leg, long deadline) {
        super(call, leg.bySource());
        this.call = call;
        this.servers = servers;
        this.leg = leg;
        this.deadline = deadline;
    }

    /** Returns the path over which it is sent first. */
    public final CommandPath path() {
        return leg.server().path(leg.way(), call.script());
    }

    /** Sends it. */
    public final void send() {
        // A path that blocks keeps the caller no longer than this, however often the call is sent on.
        sendOver(path(), leg.asking(), deadline - TimeSource.system().nanoTime());
    }

    void sendOver(CommandPath path, boolean asking, long left) {
        if (asking) {
            path.send(List.of(askingFirst(), this), left);
        } else {
            path.send(this, left);
        }
    }

    /**
     * Returns a command that counts for the next one of the connection only. If another thread's comes between, the server
     * sends the call back.
     */
    static TextCommand askingFirst() {
        return new TextCommand(List.of("ASKING"));
    }

    @Override
    protected void refused(RedisErrorException refusal) {
        Leg after = after(refusal);
        // Without time left the refusal is the reason, and not that nothing more could be sent.
        if (after == null || deadline - TimeSource.system().nanoTime() <= 0) {
            super.refused(leg.server().named(refusal));
        } else {
            follow(again(call, servers, after, deadline));
        }
    }

    /** Returns one more sending of the call, which has not run. */
    EvalCommand again(ScriptCall same, Servers among, Leg after, long until) {
        return new EvalCommand(same, among, after, until);
    }

    private @Nullable Leg after(RedisErrorException refusal) {
        if (refusal.code().equals("NOSCRIPT")) {
            return leg.bySource() ? null : leg.withSource();
        }
        Detour detour = leg.detours() < MAX_DETOURS ? servers.redirect(refusal, leg.server()) : null;
        return detour == null ? null : leg.detour(detour);
    }

    private void follow(EvalCommand second) {
        next = second;
        if (isDone()) {
            return;
        }
        CompletionStage<?> unused = second.whenComplete((reply, failure) -> {
            if (failure == null) {
                complete(reply);
            } else {
                completeExceptionally(failure);
            }
        });
        second.send();
    }

    @Override
    public boolean doubt() {
        EvalCommand second = next;
        return second == null ? super.doubt() : second.doubt();
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        boolean cancelled = super.cancel(mayInterruptIfRunning);
        EvalCommand second = next;
        if (second != null) {
            second.cancel(mayInterruptIfRunning);
        }
        return cancelled;
    }
}
