package dev.leasehold.lettuce;

import dev.leasehold.lettuce.LettuceNode.Way;
import dev.leasehold.lettuce.Servers.Detour;
import dev.leasehold.spi.ScriptCall;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A call of a script: by its digest, and if the server does not know it, once more by its source; and if the server sends
 * it elsewhere, once more there. That is no replay: a script that was not found, or was sent elsewhere, has not run.
 */
final class EvalCommand extends SentCommand<List<String>> {

    /** A slot that moves to and fro while the call follows it is rarer than a cluster whose nodes do not agree. */
    private static final int MOST_DETOURS = 5;

    private final ScriptCall call;
    private final Servers servers;
    private final Leg leg;
    private volatile @Nullable EvalCommand next;

    /**
     * One sending of the call.
     *
     * @param node where to
     * @param way over which connection
     * @param asking whether behind ASKING
     * @param bySource whether the whole script is sent
     * @param detours how many nodes sent it elsewhere
     */
    private record Leg(LettuceNode node, Way way, boolean asking, boolean bySource, int detours) {

        Leg withSource() {
            return new Leg(node, way, asking, true, detours);
        }

        Leg detour(Detour to) {
            return new Leg(to.node(), way, to.asking(), bySource, detours + 1);
        }
    }

    /** Not sent yet. */
    EvalCommand(ScriptCall call, Servers servers, Way way) {
        this(call, servers, new Leg(servers.nodeOf(call), way, false, false, 0));
    }

    private EvalCommand(ScriptCall call, Servers servers, Leg leg) {
        super(
                leg.bySource() ? CommandType.EVAL : CommandType.EVALSHA,
                new StringsOutput(),
                args(leg.bySource() ? call.script().body() : call.script().sha1(), call),
                leg.node().address());
        this.call = call;
        this.servers = servers;
        this.leg = leg;
    }

    static CommandArgs<String, String> args(String script, ScriptCall call) {
        CommandArgs<String, String> args =
                args().add(script).add(call.keys().size()).addKeys(call.keys());
        for (String arg : call.args()) {
            args.add(arg);
        }
        return args;
    }

    LettuceNode node() {
        return leg.node();
    }

    void send() {
        var link = leg.node().link(leg.way());
        if (!leg.asking()) {
            link.send(this, call.timeoutNanos());
            return;
        }
        // Counts for the next command of the connection only. If another thread's comes between, the node sends us
        // back.
        List<SentCommand<?>> both = new ArrayList<>();
        both.add(new SentCommand<>(
                CommandType.ASKING,
                new StatusOutput<>(StringCodec.UTF8),
                args(),
                leg.node().address()));
        both.add(this);
        link.send(both, call.timeoutNanos());
    }

    @Override
    void refused(String error) {
        Leg after = after(error);
        if (after == null) {
            super.refused(error);
        } else {
            follow(new EvalCommand(call, servers, after));
        }
    }

    private @Nullable Leg after(String error) {
        if (error.startsWith("NOSCRIPT")) {
            return leg.bySource() ? null : leg.withSource();
        }
        Detour detour = leg.detours() < MOST_DETOURS ? servers.redirect(error, leg.node()) : null;
        return detour == null ? null : leg.detour(detour);
    }

    private void follow(EvalCommand second) {
        next = second;
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
        second.send();
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        boolean cancelled = super.cancel(mayInterruptIfRunning);
        EvalCommand second = next;
        if (second != null) {
            second.cancel(mayInterruptIfRunning);
        } else if (cancelled) {
            servers.unanswered(leg.node());
        }
        return cancelled;
    }
}
