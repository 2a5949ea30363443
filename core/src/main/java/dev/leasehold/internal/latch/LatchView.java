package dev.leasehold.internal.latch;

import dev.leasehold.DistributedLatch;
import dev.leasehold.LockOptions;
import dev.leasehold.internal.key.CountDownId;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.script.LatchScripts;
import dev.leasehold.internal.script.LeaseSpan;
import dev.leasehold.internal.script.Waiter;
import dev.leasehold.internal.wait.WaitLimit;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** A latch as its users see it. Immutable; all state is in Redis. */
final class LatchView implements DistributedLatch {

    private static final Duration MIN_EXPIRY = Duration.ofMillis(50);

    private final LatchServices services;
    private final LockKey key;

    /** The latch of a key. */
    LatchView(LatchServices services, LockKey key) {
        this.services = services;
        this.key = key;
    }

    @Override
    public String name() {
        return key.name();
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

    private LatchRequest<Boolean> setting(int count, Duration expiry) {
        if (count < 1 || count > MAX_COUNT) {
            throw LatchMessages.badCount(key, count, MAX_COUNT);
        }
        if (expiry.compareTo(MIN_EXPIRY) < 0 || expiry.compareTo(LockOptions.MAX_LEASE_TIME) > 0) {
            throw LatchMessages.badExpiry(key, expiry, MIN_EXPIRY, LockOptions.MAX_LEASE_TIME);
        }
        CountDownId id = CountDownId.of(services.ids().get());
        LeaseSpan span = new LeaseSpan(expiry.toNanos());
        return call(
                (notAfter, timeout) -> LatchScripts.set(key, id, count, span, notAfter, timeout),
                LatchScripts::parseSet,
                answer -> switch (answer.code()) {
                    case SET -> Optional.of(true);
                    case THERE -> Optional.of(false);
                    case STALE -> Optional.empty();
                    case FOREIGN -> throw LatchMessages.foreign(key, answer.found());
                });
    }

    private LatchRequest<Integer> counting(CountDownId id) {
        return call(
                (notAfter, timeout) -> LatchScripts.countDown(key, id, notAfter, timeout),
                LatchScripts::parseCount,
                answer -> switch (answer.code()) {
                    case COUNTED -> Optional.of(answer.count());
                    case OVER -> Optional.of(0);
                    case NONE -> throw LatchMessages.notSet(key, false);
                    case STALE -> Optional.empty();
                    case FOREIGN -> throw LatchMessages.foreign(key, answer.found());
                });
    }

    private LatchRequest<Integer> reading() {
        return call(
                (notAfter, timeout) -> LatchScripts.look(key, Waiter.NONE, timeout),
                LatchScripts::parseLook,
                answer -> switch (answer.code()) {
                    case REACHED -> Optional.of(0);
                    case COUNTING -> Optional.of(answer.count());
                    case NONE -> throw LatchMessages.notSet(key, false);
                    case FOREIGN -> throw LatchMessages.foreign(key, answer.found());
                });
    }

    private <A, T> LatchRequest<T> call(
            LatchRequest.Request request, Function<List<String>, A> parsing, Function<A, Optional<T>> meaning) {
        return new LatchRequest<>(services.context(), key, request, parsing.andThen(meaning));
    }

    private <T> T run(LatchRequest<T> call) {
        services.context().ensureOpen();
        return services.drivers().runUninterruptibly(call);
    }

    private <T> CompletionStage<T> start(LatchRequest<T> call) {
        return services.drivers().start(call);
    }

    private boolean waitFor(WaitLimit limit) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("interrupted before waiting for latch " + key.shown());
        }
        services.context().ensureOpen();
        try {
            return services.drivers().run(await(limit));
        } catch (InterruptedException e) {
            throw new InterruptedException("interrupted while waiting for latch " + key.shown());
        }
    }

    private CompletionStage<Boolean> waitAsync(WaitLimit limit) {
        return services.drivers().promise(await(limit), reached -> reached);
    }

    private LatchAwait await(WaitLimit limit) {
        return new LatchAwait(services.context(), services.wakeUps(), services.waiters(), key, limit);
    }

    @Override
    public String toString() {
        return "latch " + key.shown();
    }
}
