package dev.leasehold.internal.scriptfree;

import dev.leasehold.internal.script.PlainScripts;
import dev.leasehold.spi.ChannelListener;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.RedisNode;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spi.ScriptCall;
import dev.leasehold.spi.ServerDescription;
import dev.leasehold.spi.ServerDescription.Capability;
import dev.leasehold.spi.TimeSource;
import dev.leasehold.spi.TransportException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * A transport that answers the calls of plain-lock scripts as Redis would, by a dialogue per key. The engine does not
 * see the difference, so its leases are the same. It rejects all other scripts.
 */
public final class ScriptFreeTransport implements RedisTransport {

    private final RedisTransport transport;
    private final TimeSource time;
    private final Executor batches;

    /**
     * Creates a transport over an adapter that {@linkplain Capability#CONVERSES converses}.
     *
     * @param transport the adapter's transport, closed with this one
     * @param time the clocks
     * @param batches runs batches, which must not block their caller, although an adapter may answer on the calling
     *     thread
     */
    public ScriptFreeTransport(RedisTransport transport, TimeSource time, Executor batches) {
        this.transport = transport;
        this.time = time;
        this.batches = batches;
    }

    /** Returns the remaining capabilities of an adapter: waiting for replicas or disks needs a script. */
    public static Set<Capability> without(Set<Capability> capabilities) {
        Set<Capability> rest = EnumSet.noneOf(Capability.class);
        rest.addAll(capabilities);
        rest.remove(Capability.WAITS_FOR_REPLICAS);
        rest.remove(Capability.WAITS_FOR_DISKS);
        return rest;
    }

    @Override
    public CompletionStage<List<String>> eval(ScriptCall call) {
        try {
            return call.script().equals(PlainScripts.RENEW_MANY) ? many(call) : one(call, 0);
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public List<CompletionStage<List<String>>> evalBatch(List<ScriptCall> calls) {
        List<CompletionStage<List<String>>> results = new ArrayList<>(calls.size());
        for (ScriptCall call : calls) {
            CompletableFuture<List<String>> result = new CompletableFuture<>();
            results.add(result);
            try {
                batches.execute(() -> {
                    if (!result.isDone()) {
                        pass(eval(call).toCompletableFuture(), result);
                    }
                });
            } catch (RejectedExecutionException e) {
                result.completeExceptionally(new TransportException("the client was closed", false, e));
            }
        }
        return results;
    }

    private static void pass(CompletableFuture<List<String>> from, CompletableFuture<List<String>> to) {
        CompletionStage<?> unused = from.whenComplete((reply, failure) -> {
            if (failure == null) {
                to.complete(reply);
            } else {
                to.completeExceptionally(failure);
            }
        });
        cancelWith(to, from);
    }

    /** Passes on the cancellation of a caller that stops waiting, so that the adapter suspects the connection. */
    private static void cancelWith(CompletableFuture<?> given, CompletableFuture<?> under) {
        CompletionStage<?> unused = given.whenComplete((reply, failure) -> {
            if (given.isCancelled()) {
                under.cancel(false);
            }
        });
    }

    private CompletableFuture<List<String>> one(ScriptCall call, int key) {
        PlainDialogue dialogue = new PlainDialogue(call, call.keys().get(key), PlainOperation.of(call, key), time);
        if (dialogue.timeoutNanos() <= 0) {
            return CompletableFuture.failedFuture(new TransportException("no time was left to begin", false, null));
        }
        CompletableFuture<@Nullable Void> ended = transport.converse(dialogue).toCompletableFuture();
        CompletableFuture<List<String>> result = ended.thenApply(over -> dialogue.answer());
        cancelWith(result, ended);
        return result;
    }

    /** Runs one dialogue per key. */
    private CompletableFuture<List<String>> many(ScriptCall call) {
        List<CompletableFuture<List<String>>> each = new ArrayList<>();
        for (int i = 0; i < call.keys().size(); i++) {
            each.add(one(call, i));
        }
        CompletableFuture<List<String>> result =
                CompletableFuture.allOf(each.toArray(CompletableFuture[]::new)).handle((all, failure) -> joined(each));
        each.forEach(under -> cancelWith(result, under));
        return result;
    }

    /** Joins the replies. Errors of Redis are reported per key; if no key was answered, the whole call fails. */
    private static List<String> joined(List<CompletableFuture<List<String>>> each) {
        String now = null;
        List<String> results = new ArrayList<>();
        CompletionException last = null;
        for (CompletableFuture<List<String>> one : each) {
            try {
                List<String> reply = one.join();
                now = reply.get(1);
                results.add(reply.get(0));
                results.add(reply.get(2));
            } catch (CompletionException e) {
                last = e;
                results.add("failed");
                results.add(reason(e));
            }
        }
        if (now == null) {
            throw last == null ? new TransportException("no key was given", false, null) : last;
        }
        results.add(0, "each");
        results.add(1, now);
        return results;
    }

    private static String reason(CompletionException e) {
        Throwable cause = e.getCause() == null ? e : e.getCause();
        return cause instanceof RedisErrorException ? String.valueOf(cause.getMessage()) : "ERR " + cause.getMessage();
    }

    @Override
    public CompletionStage<AutoCloseable> subscribe(String channel, ChannelListener listener) {
        return transport.subscribe(channel, listener);
    }

    @Override
    public CompletionStage<ServerDescription> describe() {
        return transport
                .describe()
                .thenApply(all -> new ServerDescription(all.version(), all.nodes(), without(all.capabilities())));
    }

    @Override
    public CompletionStage<@Nullable Object> command(@Nullable RedisNode node, List<String> args) {
        return transport.command(node, args);
    }

    @Override
    public void close() {
        transport.close();
    }
}
