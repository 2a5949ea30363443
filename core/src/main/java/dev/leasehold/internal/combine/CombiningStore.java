package dev.leasehold.internal.combine;

import dev.leasehold.internal.concurrent.SerialLoop;
import dev.leasehold.internal.script.CombinedScript;
import dev.leasehold.internal.store.LockRequest;
import dev.leasehold.internal.store.LockStore;
import dev.leasehold.internal.store.StoreRequest;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.TimeSource;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Sends the requests of callers that acquire or release different locks at the same moment as one call. A request leaves at once,
 * alone, unless enough calls are under way; else it is queued, and when one of these calls has returned, all that is queued
 * leaves as the next call. So no request waits for a batch to fill.
 *
 * <p>It combines requests for locks that are expected free, and usual releases, as {@code combines} says; all others pass. Each is
 * judged as if it were alone. What the common call leaves undecided of a release is sent alone, and so is each entry of a call that
 * Redis refused as a whole: Redis has run nothing of it.
 *
 * <p>Free of locks. The queue is emptied by one thread at a time: by the one that has added a request, or by the one that brings
 * the answer of a call. A request that is added while no further call may leave relies on a call under way: it ends by its
 * answer, by its failure, by the cancellation of all its entries, or, when all their callers have given up, by the next request that
 * finds it.
 */
public final class CombiningStore implements LockStore.Forwarding {

    private final LockStore store;
    private final Predicate<StoreRequest<?>> combines;
    private final TimeSource time;
    private final IntSupplier mostCalls;
    private final CallLimit measured = new CallLimit();
    private final AtomicInteger underWay = new AtomicInteger();
    private final Queue<QueuedRequest<?>> queue = new ConcurrentLinkedQueue<>();
    private final SerialLoop loop = new SerialLoop(this::sendQueued);
    private final Runnable doubt = this::doubtLatest;
    /** The last call that took a place. */
    private volatile @Nullable Call latest;

    /**
     * Stands before a store, which it closes with itself; the round trip decides how many calls may be under way.
     *
     * @param store does not block its callers
     * @param combines whether a request may leave with others
     */
    public CombiningStore(LockStore store, Predicate<StoreRequest<?>> combines, TimeSource time) {
        this(store, combines, time, null);
    }

    /**
     * Stands before a store, which it closes with itself.
     *
     * @param mostCalls how many calls may be under way, at least 1; by default {@link CallLimit}
     */
    public CombiningStore(
            LockStore store, Predicate<StoreRequest<?>> combines, TimeSource time, @Nullable IntSupplier mostCalls) {
        this.store = store;
        this.combines = combines;
        this.time = time;
        this.mostCalls = mostCalls == null ? measured : mostCalls;
    }

    @Override
    public LockStore behind() {
        return store;
    }

    @Override
    public <A> CompletableFuture<A> send(StoreRequest<A> request) {
        if (!(request instanceof LockRequest<A> combinable) || !combines.test(request)) {
            return store.send(request);
        }
        if (queue.isEmpty() && begin()) {
            return sendAlone(combinable);
        }
        long now = time.nanoTime();
        QueuedRequest<A> queued = new QueuedRequest<>(combinable, now, doubt);
        queue.add(queued);
        Call call = latest;
        if (call != null) {
            call.endIfOver(now);
        }
        sendQueuedIfAny();
        return queued;
    }

    /** Takes one of the places of calls under way; false if all are taken. */
    private boolean begin() {
        int most = mostCalls.getAsInt();
        int before = underWay.get();
        while (before < most) {
            if (underWay.compareAndSet(before, before + 1)) {
                return true;
            }
            before = underWay.get();
        }
        return false;
    }

    /** The caller gets the stage of the store itself. */
    private <A> CompletableFuture<A> sendAlone(LockRequest<A> request) {
        long sentAt = time.nanoTime();
        boolean lone = underWay.get() == 1;
        CompletableFuture<A> stage = sent(request, List.of(), sentAt, request.timeoutNanos());
        CompletionStage<?> unused = stage.whenComplete((answer, failure) -> ended(sentAt, lone, failure));
        return stage;
    }

    private <A> CompletableFuture<A> sent(
            StoreRequest<A> request, List<QueuedRequest<?>> entries, long sentAt, long timeoutNanos) {
        CompletableFuture<A> stage;
        try {
            stage = store.send(request);
        } catch (RuntimeException | Error e) {
            // Against the contract of a store; but a place that stays taken would keep back all that follows.
            stage = CompletableFuture.failedFuture(e);
        }
        // Callers time out by timers of their own, which may be late.
        Call call = new Call(stage, entries, sentAt + 2 * timeoutNanos);
        latest = call;
        entries.forEach(entry -> entry.leftWith(call));
        return stage;
    }

    /** A call has returned, failed, or was given up. What is queued leaves before any caller is woken. */
    private void ended(long sentAt, boolean lone, @Nullable Throwable failure) {
        if (failure == null) {
            measured.answered(time.nanoTime() - sentAt, lone);
        }
        underWay.decrementAndGet();
        sendQueuedIfAny();
    }

    private void sendQueuedIfAny() {
        if (!queue.isEmpty() && underWay.get() < mostCalls.getAsInt()) {
            loop.signal(Runnable::run);
        }
    }

    private void sendQueued() {
        while (!queue.isEmpty() && begin()) {
            Batch batch = nextBatch();
            if (batch.size() == 0) {
                underWay.decrementAndGet();
            } else {
                send(batch);
            }
        }
    }

    /** Takes what is queued and still awaited, up to the limits of a batch. Only the loop calls this. */
    private Batch nextBatch() {
        Batch batch = new Batch();
        long now = time.nanoTime();
        for (QueuedRequest<?> next = queue.peek(); next != null; next = queue.peek()) {
            long left = next.left(now);
            if (next.isDone()) {
                queue.remove();
            } else if (left <= 0) {
                queue.remove();
                next.expired();
            } else if (batch.add(next, left)) {
                queue.remove();
            } else {
                break;
            }
        }
        return batch;
    }

    private void send(Batch batch) {
        List<QueuedRequest<?>> entries = batch.entries();
        long sentAt = time.nanoTime();
        if (entries.size() == 1) {
            sendOnly(entries.get(0), sentAt);
            return;
        }
        CompletionStage<CombinedScript.Answer> stage = sent(batch.request(), entries, sentAt, batch.longest());
        CompletionStage<?> unused = stage.whenComplete((answer, failure) -> {
            ended(sentAt, false, failure);
            if (failure == null) {
                batch.answered(answer, this::sendAgain);
            } else if (failure instanceof RedisErrorException) {
                entries.forEach(this::sendAgain);
            } else {
                entries.forEach(entry -> entry.settle(null, failure));
            }
        });
    }

    private <A> void sendOnly(QueuedRequest<A> queued, long sentAt) {
        CompletionStage<A> stage = sent(queued.request(), List.of(queued), sentAt, queued.left(sentAt));
        CompletionStage<?> unused = stage.whenComplete((answer, failure) -> {
            ended(sentAt, false, failure);
            queued.settle(answer, failure);
        });
    }

    /** Sends a request alone which a common call has left as it was. It takes no place: it must not wait a second time. */
    private <A> void sendAgain(QueuedRequest<A> queued) {
        long now = time.nanoTime();
        long left = queued.left(now);
        if (queued.isDone()) {
            return;
        }
        if (left <= 0) {
            queued.expired();
            return;
        }
        CompletableFuture<A> stage = store.send(queued.request());
        queued.leftWith(new Call(stage, List.of(queued), now + left));
        CompletionStage<A> answer = stage;
        CompletionStage<?> unused = answer.whenComplete(queued::settle);
    }

    /** The caller of a queued request has given up: what keeps it waiting is the silence of the calls under way. */
    private void doubtLatest() {
        Call call = latest;
        if (call != null) {
            call.doubt();
        }
    }
}
