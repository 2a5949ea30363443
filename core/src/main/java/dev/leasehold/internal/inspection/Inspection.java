package dev.leasehold.internal.inspection;

import dev.leasehold.LockUnavailableException;
import dev.leasehold.inspect.LockInfo;
import dev.leasehold.internal.key.LatchKey;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.OwnerKey;
import dev.leasehold.internal.key.PermitKey;
import dev.leasehold.internal.request.CallSender;
import dev.leasehold.internal.request.Exchange;
import dev.leasehold.internal.request.MultiKeyCalls;
import dev.leasehold.internal.request.Operation;
import dev.leasehold.internal.request.RefusalMessages;
import dev.leasehold.internal.request.RequestContext;
import dev.leasehold.internal.request.RequestFailures;
import dev.leasehold.internal.request.TimedRequest;
import dev.leasehold.internal.store.ChangePermits;
import dev.leasehold.internal.store.InspectLock;
import dev.leasehold.internal.store.LockRequest;
import dev.leasehold.internal.store.ReadLatch;
import dev.leasehold.internal.store.StoreAnswer;
import dev.leasehold.internal.store.Waiter;
import dev.leasehold.recipes.LatchInfo;
import dev.leasehold.spi.RedisErrorException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads a lock or a latch by one request on the caller's thread, and creates the operation that changes the permits of a semaphore. No state. */
public final class Inspection {

    /** The locks of one call, each of which takes some 10 us; Redis serves no other call meanwhile. */
    private static final int MOST = 100;

    private final RequestContext context;
    private final CallSender calls;
    private final MultiKeyCalls slots;

    public Inspection(RequestContext context, CallSender calls, MultiKeyCalls slots) {
        this.context = context;
        this.calls = calls;
        this.slots = slots;
    }

    /** Returns the holder of a lock. */
    public Optional<LockInfo> of(LockKey key) {
        return report(key).info();
    }

    /** Returns the holders of these locks, without those that are free. */
    public List<LockInfo> held(List<LockKey> keys) {
        return states(keys).entrySet().stream()
                .flatMap(one -> new LockReport(one.getKey(), one.getValue()).info().stream())
                .toList();
    }

    /** Returns the states of these locks, without those whose keys hold something else. Locks that one call may reach are read together. */
    public Map<LockKey, InspectLock.State> states(List<LockKey> keys) {
        Map<LockKey, InspectLock.State> states = new LinkedHashMap<>();
        int at = 0;
        while (at < keys.size()) {
            boolean together = slots.acrossSlots() && !keys.get(at).kind().isForeign();
            List<LockKey> some = keys.subList(at, together ? Math.min(at + MOST, keys.size()) : at + 1);
            List<InspectLock.Answer> answers = answers(some);
            for (int n = 0; n < answers.size(); n++) {
                if (answers.get(n).code() == InspectLock.Code.LOCK) {
                    states.put(some.get(n), answers.get(n).state());
                }
            }
            at += answers.size();
        }
        return states;
    }

    /** Returns the answers about locks; none if a call may have only one key, as the server says, and is to be tried so. */
    private List<InspectLock.Answer> answers(List<LockKey> keys) {
        if (keys.size() == 1) {
            return List.of(send(new InspectLock(keys.get(0), context.commandNanos())));
        }
        try {
            return send(new InspectLock.Many(keys, context.commandNanos())).each();
        } catch (LockUnavailableException e) {
            if (e.getCause() instanceof RedisErrorException error
                    && error.code().equals("CROSSSLOT")) {
                slots.restrictToOneSlot();
                return List.of();
            }
            throw e;
        }
    }

    /** Returns the state of a lock; that of a free one if the key holds something else. */
    public InspectLock.State state(LockKey key) {
        return send(new InspectLock(key, context.commandNanos())).state();
    }

    /** Returns the state of a latch; empty if there is none, whatever else the key holds. */
    public Optional<LatchInfo> latch(LockKey key) {
        ReadLatch.Answer answer = send(new ReadLatch(LatchKey.any(key), Waiter.NONE, context.commandNanos()));
        return switch (answer.code()) {
            case COUNTING ->
                Optional.of(
                        new LatchInfo(key.name(), round(answer), answer.count(), Duration.ofNanos(answer.leftNanos())));
            case REACHED -> Optional.of(new LatchInfo(key.name(), round(answer), 0, null));
            case NONE, FOREIGN -> Optional.empty();
        };
    }

    private static @Nullable Long round(ReadLatch.Answer answer) {
        return answer.round() < 0 ? null : answer.round();
    }

    public int liveHolds(LockKey key, OwnerKey owner) {
        LockReport report = report(key);
        return report.ownedBy(owner) ? report.liveHolds() : 0;
    }

    public int availablePermits(PermitKey key) {
        LockReport report = report(key);
        int says = report.state().permits();
        if (says > 0 && says != key.total() && !report.state().permitsChanged()) {
            throw RefusalMessages.permits(key, says);
        }
        int all = says > 0 ? says : key.total();
        return report.held() && !report.state().heldAsPermits() ? 0 : Math.max(0, all - report.permitsHeld());
    }

    /** Changes the number of permits of a semaphore; the outcome is the number before. */
    public Operation<Integer> changePermits(PermitKey key, int permits) {
        return timed(
                context,
                key,
                (notAfter, timeout) -> new ChangePermits(key, permits, notAfter, timeout),
                answer -> switch (answer.code()) {
                    case CHANGED -> Optional.of(answer.before());
                    case STALE -> Optional.empty();
                    case FOREIGN -> throw RefusalMessages.foreign(key, answer.found());
                });
    }

    /** Creates the operation that sends a request which a copy would execute once more. */
    public static <A extends StoreAnswer, T> Operation<T> timed(
            RequestContext context, LockKey key, TimedRequest.Sending<A> sending, Function<A, Optional<T>> meaning) {
        return new TimedRequest<>(context, key, false, sending, meaning, (maybe, problem) -> unavailable(key, problem));
    }

    private LockReport report(LockKey key) {
        InspectLock.Answer answer = send(new InspectLock(key, context.commandNanos()));
        return switch (answer.code()) {
            case LOCK -> new LockReport(key, answer.state());
            case FOREIGN -> throw RefusalMessages.foreign(key, answer.found());
        };
    }

    private <A> A send(LockRequest<A> request) {
        Exchange<A> exchange = calls.run(request, context.now());
        A answer = exchange.answer();
        if (answer != null) {
            return answer;
        }
        throw unavailable(request.key(), exchange.problem());
    }

    /** The exception for a request that got no answer, or an error. */
    private static RuntimeException unavailable(LockKey key, @Nullable RuntimeException problem) {
        if (problem instanceof RedisErrorException error) {
            return RefusalMessages.refused(key, error, false);
        }
        return new LockUnavailableException(
                key.name(),
                false,
                "Redis gave no answer about " + key.inWords() + ": " + RequestFailures.reason(problem)
                        + ". Check that Redis is up and reachable, and try again",
                problem);
    }
}
