package dev.leasehold.internal.quorum;

import dev.leasehold.internal.concurrent.SerialExecutor;
import dev.leasehold.internal.script.ForceReleaseScript;
import dev.leasehold.internal.script.InspectScript;
import dev.leasehold.spi.ScriptCall;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Sends an inspection or a forced release to all servers. A majority must answer. */
final class QuorumQuery {

    private final Quorum quorum;
    private final ScriptCall call;
    private final CompletableFuture<List<String>> result = new CompletableFuture<>();
    private final SerialExecutor executor = new SerialExecutor();
    private final List<List<String>> replies = new ArrayList<>();
    private final long startedAt;
    private int open;

    QuorumQuery(Quorum quorum, ScriptCall call) {
        this.quorum = quorum;
        this.call = call;
        this.startedAt = quorum.parts().time().nanoTime();
    }

    CompletableFuture<List<String>> begin() {
        long timeout = Majority.nodeTimeout(quorum.parts().nodeTimeoutNanos(), Long.MAX_VALUE, call.timeoutNanos());
        ScriptCall each = new ScriptCall(call.script(), call.keys(), call.args(), timeout);
        executor.execute(() -> {
            open = quorum.nodes().size();
            for (Node node : quorum.nodes()) {
                node.send(each, new Node.ReplyHandler() {
                    @Override
                    public void answered(List<String> reply) {
                        executor.execute(() -> {
                            replies.add(reply);
                            over();
                        });
                    }

                    @Override
                    public void failed(RuntimeException failure) {
                        executor.execute(QuorumQuery.this::over);
                    }
                });
            }
        });
        return result;
    }

    private void over() {
        open--;
        if (open > 0) {
            return;
        }
        if (!quorum.majority().reached(replies.size())) {
            result.completeExceptionally(quorum.noMajority(replies.size()));
        } else if (call.script().name().equals(InspectScript.SCRIPT.name())) {
            result.complete(majorityView());
        } else {
            result.complete(freed());
        }
    }

    private List<String> freed() {
        List<String> foreign = null;
        for (List<String> reply : replies) {
            ForceReleaseScript.Code code = ForceReleaseScript.parse(reply).code();
            if (code == ForceReleaseScript.Code.FREED) {
                return quorum.reply("freed", startedAt, "1");
            }
            foreign = code == ForceReleaseScript.Code.FOREIGN ? reply : foreign;
        }
        return foreign != null ? foreign : quorum.reply("free", startedAt);
    }

    /**
     * Returns the reply of a server from the majority that agrees on the owner; an empty reply if there is no such
     * majority.
     */
    private List<String> majorityView() {
        Map<String, Integer> votes = new HashMap<>();
        for (List<String> reply : replies) {
            InspectScript.Answer answer = InspectScript.parse(reply);
            if (answer.code() == InspectScript.Code.FOREIGN) {
                return reply;
            }
            String owner = answer.fields().getOrDefault("own", "");
            if (quorum.majority().reached(votes.merge(owner, 1, Integer::sum))) {
                return reply;
            }
        }
        return quorum.reply("lock", startedAt);
    }
}
