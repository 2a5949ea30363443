package dev.leasehold.internal.scriptfree;

import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.LockKind;
import dev.leasehold.internal.store.AcquireHold;
import dev.leasehold.internal.store.AnswerFuture;
import dev.leasehold.internal.store.EntryResult;
import dev.leasehold.internal.store.ForceRelease;
import dev.leasehold.internal.store.InspectLock;
import dev.leasehold.internal.store.LockRequest;
import dev.leasehold.internal.store.LockStore;
import dev.leasehold.internal.store.ReleaseHold;
import dev.leasehold.internal.store.RenewHold;
import dev.leasehold.internal.store.RenewHolds;
import dev.leasehold.internal.store.RequestHandlers;
import dev.leasehold.internal.store.ServerTime;
import dev.leasehold.internal.store.StoreRequest;
import dev.leasehold.spi.ChannelListener;
import dev.leasehold.spi.RedisTransport;
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

/**
 * Keeps plain locks without scripts, by a dialogue for each key. The engine does not see the difference, so its leases are
 * the same.
 */
public final class ScriptFreeStore implements LockStore {

    private final RedisTransport transport;
    private final TimeSource time;
    private final Executor batches;
    private final RequestHandlers handlers;

    /**
     * Creates a store over an adapter that {@linkplain Capability#CONVERSES converses}.
     *
     * @param transport the adapter's transport, closed with this store
     * @param time the clocks
     * @param batches runs batches, which must not block their caller, although an adapter may answer on the calling
     *     thread
     */
    public ScriptFreeStore(RedisTransport transport, TimeSource time, Executor batches) {
        this.transport = transport;
        this.time = time;
        this.batches = batches;
        this.handlers = new RequestHandlers("a client without scripts", LockKind.PLAIN)
                .on(AcquireHold.class, request -> converse(request, PlainOperation.acquire(request)))
                .on(RenewHold.class, request -> converse(request, PlainOperation.renew(request.id(), request.lease())))
                .on(RenewHolds.class, this::renewEach)
                .on(ReleaseHold.class, request -> converse(request, new PlainOperation.Release(request.id())))
                .on(ForceRelease.class, request -> converse(request, new PlainOperation.Delete()))
                .on(InspectLock.class, request -> converse(request, new PlainOperation.Inspect()));
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
    public <A> CompletableFuture<A> send(StoreRequest<A> request) {
        return handlers.handle(request);
    }

    private <A> CompletableFuture<A> converse(LockRequest<A> request, PlainOperation<A> operation) {
        return converse(request.key(), request.timeoutNanos(), operation);
    }

    private <A> CompletableFuture<A> converse(LockKey key, long timeoutNanos, PlainOperation<A> operation) {
        PlainDialogue<A> dialogue = new PlainDialogue<>(key.key(), timeoutNanos, operation, time);
        if (dialogue.timeoutNanos() <= 0) {
            return CompletableFuture.failedFuture(new TransportException("no time was left to begin", false, null));
        }
        return AnswerFuture.of(transport.converse(dialogue), over -> dialogue.answer());
    }

    /** Runs one dialogue for each key. */
    private CompletableFuture<RenewHolds.Answer> renewEach(RenewHolds request) {
        List<CompletableFuture<RenewHold.Answer>> each = new ArrayList<>();
        for (RenewHolds.Entry entry : request.entries()) {
            PlainOperation<RenewHold.Answer> renewal = PlainOperation.renew(entry.id(), request.lease());
            each.add(converse(entry.key(), request.timeoutNanos(), renewal));
        }
        CompletableFuture<RenewHolds.Answer> result =
                CompletableFuture.allOf(each.toArray(CompletableFuture[]::new)).handle((all, failure) -> joined(each));
        each.forEach(one -> cancelWith(result, one));
        return result;
    }

    /** Joins the answers. If no key was answered, the whole request fails, as a script would. */
    private static RenewHolds.Answer joined(List<CompletableFuture<RenewHold.Answer>> each) {
        ServerTime now = null;
        List<EntryResult<RenewHold.Answer>> results = new ArrayList<>();
        CompletionException last = null;
        for (CompletableFuture<RenewHold.Answer> one : each) {
            try {
                RenewHold.Answer answer = one.join();
                now = answer.now();
                results.add(EntryResult.of(answer));
            } catch (CompletionException e) {
                last = e;
                results.add(EntryResult.failed(e));
            }
        }
        if (now == null) {
            throw last == null ? new TransportException("no key was given", false, null) : last;
        }
        return new RenewHolds.Answer(now, results);
    }

    @Override
    public List<CompletableFuture<?>> sendAll(List<? extends StoreRequest<?>> requests) {
        List<CompletableFuture<?>> answers = new ArrayList<>(requests.size());
        requests.forEach(request -> answers.add(sendLater(request)));
        return answers;
    }

    private <A> CompletableFuture<A> sendLater(StoreRequest<A> request) {
        CompletableFuture<A> answer = new CompletableFuture<>();
        try {
            batches.execute(() -> {
                if (!answer.isDone()) {
                    pass(send(request), answer);
                }
            });
        } catch (RejectedExecutionException e) {
            answer.completeExceptionally(new TransportException("the client was closed", false, e));
        }
        return answer;
    }

    private static <A> void pass(CompletableFuture<A> from, CompletableFuture<A> to) {
        CompletionStage<?> unused = from.whenComplete((answer, failure) -> {
            if (failure == null) {
                to.complete(answer);
            } else {
                to.completeExceptionally(failure);
            }
        });
        cancelWith(to, from);
    }

    /** Passes on the cancellation of a caller that stops waiting, so that the adapter suspects the connection. */
    private static void cancelWith(CompletableFuture<?> given, CompletableFuture<?> under) {
        CompletionStage<?> unused = given.whenComplete((answer, failure) -> {
            if (given.isCancelled()) {
                under.cancel(false);
            }
        });
    }

    @Override
    public List<Durable<?>> sendDurably(
            List<? extends StoreRequest<?>> requests, boolean onDisk, int replicas, long withinMillis) {
        return handlers.refuseDurable(requests.size());
    }

    @Override
    public String shardOf(String key) {
        return "";
    }

    @Override
    public CompletionStage<AutoCloseable> subscribe(String channel, ChannelListener listener) {
        return transport.subscribe(channel, listener);
    }

    @Override
    public void close() {
        transport.close();
    }
}
