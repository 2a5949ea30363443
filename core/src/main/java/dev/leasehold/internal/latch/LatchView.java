package dev.leasehold.internal.latch;

import dev.leasehold.LockOptions;
import dev.leasehold.internal.key.CountDownId;
import dev.leasehold.internal.key.LatchKey;
import dev.leasehold.internal.request.Operation;
import dev.leasehold.internal.request.TimedRequest;
import dev.leasehold.internal.store.CountDown;
import dev.leasehold.internal.store.LeaseSpan;
import dev.leasehold.internal.store.ReadLatch;
import dev.leasehold.internal.store.SetLatch;
import dev.leasehold.internal.store.StoreAnswer;
import dev.leasehold.internal.store.Waiter;
import dev.leasehold.internal.time.WaitLimit;
import dev.leasehold.recipes.DistributedLatch;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** A latch as its users see it. Immutable; all state is in Redis. */
final class LatchView implements DistributedLatch {

    private static final Duration MIN_EXPIRY = Duration.ofMillis(50);

    private final LatchServices services;
    private final LatchKey latch;

    LatchView(LatchServices services, LatchKey latch) {
        this.services = services;
        this.latch = latch;
    }

    @Override
    public String name() {
        return latch.name();
    }

    @Override
    public DistributedLatch round(long number) {
        if (number < 0 || number > MAX_ROUND) {
            throw LatchMessages.badRound(latch, number, MAX_ROUND);
        }
        return new LatchView(services, latch.round(number));
    }

    @Override
    public boolean trySet(int count, Duration expiry) {
        return run(setting(count, expiry));
    }

    @Override
    public CompletionStage<Boolean> trySetAsync(int count, Duration expiry) {
        return start(setting(count, expiry));
    }

    @Override
    public int countDown() {
        return run(counting(CountDownId.of(services.ids().get())));
    }

    @Override
    public int countDown(String id) {
        return run(counting(CountDownId.named(id)));
    }

    @Override
    public CompletionStage<Integer> countDownAsync() {
        return start(counting(CountDownId.of(services.ids().get())));
    }

    @Override
    public CompletionStage<Integer> countDownAsync(String id) {
        return start(counting(CountDownId.named(id)));
    }

    @Override
    public int count() {
        return run(reading());
    }

    @Override
    public CompletionStage<Integer> countAsync() {
        return start(reading());
    }

    @Override
    public void await() throws InterruptedException {
        boolean unused = waitFor(WaitLimit.UNLIMITED);
    }

    @Override
    public boolean await(Duration wait) throws InterruptedException {
        return waitFor(WaitLimit.of(wait));
    }

    @Override
    public CompletionStage<Boolean> awaitAsync() {
        return waitAsync(WaitLimit.UNLIMITED);
    }

    @Override
    public CompletionStage<Boolean> awaitAsync(Duration wait) {
        return waitAsync(WaitLimit.of(wait));
    }

    private Operation<Boolean> setting(int count, Duration expiry) {
        if (count < 1 || count > MAX_COUNT) {
            throw LatchMessages.badCount(latch, count, MAX_COUNT);
        }
        if (Objects.requireNonNull(expiry, "expiry").compareTo(MIN_EXPIRY) < 0
                || expiry.compareTo(LockOptions.MAX_LEASE_TIME) > 0) {
            throw LatchMessages.badExpiry(latch, expiry, MIN_EXPIRY, LockOptions.MAX_LEASE_TIME);
        }
        CountDownId id = CountDownId.of(services.ids().get());
        LeaseSpan span = new LeaseSpan(expiry.toNanos());
        // A repeat after the end of the latch that the first request set would set another one.
        long ends = services.context().now() + span.nanos();
        return request(
                (notAfter, timeout) -> new SetLatch(
                        latch,
                        id,
                        count,
                        span,
                        notAfter.orEarlier(services.context().serverTimeAt(latch.key(), ends)),
                        timeout),
                answer -> switch (answer.code()) {
                    case SET -> Optional.of(true);
                    case THERE -> Optional.of(false);
                    case STALE -> Optional.empty();
                    case FOREIGN -> throw LatchMessages.foreign(latch, answer.found());
                });
    }

    private Operation<Integer> counting(CountDownId id) {
        return request(
                (notAfter, timeout) -> new CountDown(latch, id, notAfter, timeout), answer -> switch (answer.code()) {
                    case COUNTED -> Optional.of(answer.count());
                    case OVER -> Optional.of(0);
                    case NONE -> throw LatchMessages.notSet(latch, false);
                    case STALE -> Optional.empty();
                    case FOREIGN -> throw LatchMessages.foreign(latch, answer.found());
                });
    }

    private Operation<Integer> reading() {
        return request(
                (notAfter, timeout) -> new ReadLatch(latch, Waiter.NONE, timeout), answer -> switch (answer.code()) {
                    case REACHED -> Optional.of(0);
                    case COUNTING -> Optional.of(answer.count());
                    case NONE -> throw LatchMessages.notSet(latch, false);
                    case FOREIGN -> throw LatchMessages.foreign(latch, answer.found());
                });
    }

    private <A extends StoreAnswer, T> Operation<T> request(
            TimedRequest.Sending<A> sending, Function<A, Optional<T>> meaning) {
        return new TimedRequest<>(
                services.context(),
                latch.key(),
                true,
                sending,
                meaning,
                (maybeDone, problem) -> LatchMessages.unavailable(latch, maybeDone, problem));
    }

    private <T> T run(Operation<T> request) {
        services.context().ensureOpen();
        services.drivers().refuseOnEventLoop(latch.key());
        return services.drivers().runUninterruptibly(request);
    }

    private <T> CompletionStage<T> start(Operation<T> request) {
        return services.drivers().start(request);
    }

    private boolean waitFor(WaitLimit limit) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("interrupted before waiting for " + latch.shown());
        }
        services.context().ensureOpen();
        services.drivers().refuseOnEventLoop(latch.key());
        try {
            return services.drivers().run(await(limit));
        } catch (InterruptedException e) {
            throw new InterruptedException("interrupted while waiting for " + latch.shown());
        }
    }

    private CompletionStage<Boolean> waitAsync(WaitLimit limit) {
        return services.drivers().promise(await(limit), reached -> reached);
    }

    private LatchAwait await(WaitLimit limit) {
        return new LatchAwait(services.context(), services.wakeUps(), services.waiters(), latch, limit);
    }

    @Override
    public String toString() {
        return latch.shown();
    }
}
