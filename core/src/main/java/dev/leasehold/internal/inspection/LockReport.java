package dev.leasehold.internal.inspection;

import dev.leasehold.inspect.LockInfo;
import dev.leasehold.inspect.WaiterInfo;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.OwnerKey;
import dev.leasehold.internal.store.InspectLock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** The state of a lock as callers see it. */
record LockReport(LockKey key, InspectLock.State state) {

    int liveHolds() {
        return state.holds().size();
    }

    boolean held() {
        return liveHolds() > 0;
    }

    boolean ownedBy(OwnerKey owner) {
        OwnerKey common = state.owner();
        return common != null && common.field().equals(owner.field());
    }

    /** The number of permits that are taken. */
    int permitsHeld() {
        long held = state.heldAsPermits()
                ? state.holds().stream().mapToLong(InspectLock.Hold::permits).sum()
                : 0;
        return (int) Math.min(held, Integer.MAX_VALUE);
    }

    Optional<LockInfo> info() {
        if (!held()) {
            return state.owner() == null || state.problem().isEmpty() ? Optional.empty() : Optional.of(unreadable());
        }
        InspectLock.Hold oldest = state.holds().get(0);
        boolean permits = state.heldAsPermits();
        boolean reads = state.heldByReaders();
        OwnerKey common = state.owner();
        OwnerKey owner = common == null || reads || permits ? oldest.self() : common;
        long left = state.holds().stream()
                .mapToLong(InspectLock.Hold::leftNanos)
                .max()
                .orElse(0);
        String label = oldest.holder().label();
        return Optional.of(LockInfo.builder(key.name())
                .owner(owner.name(), owner.named())
                .process(
                        oldest.holder().host(),
                        oldest.holder().pid(),
                        oldest.holder().thread())
                .times(oldest.since(), Duration.ofNanos(left))
                .holds(permits ? 0 : state.token(), liveHolds())
                .label(label.isEmpty() ? null : label)
                .handsOff(state.handsOff())
                .retained(state.retained())
                .shared(reads)
                .permits(permitsHeld(), permits ? state.permits() : 0)
                .waiters(waiters())
                .problem(state.problem().isEmpty() ? null : state.problem())
                .build());
    }

    /** Somebody owns the lock, but no hold can be read. */
    private LockInfo unreadable() {
        return LockInfo.builder(key.name())
                .waiters(waiters())
                .problem(state.problem())
                .build();
    }

    private List<WaiterInfo> waiters() {
        return IntStream.range(0, state.waiters().size())
                .mapToObj(i -> waiter(i + 1, state.waiters().get(i)))
                .toList();
    }

    private static WaiterInfo waiter(int position, InspectLock.Waiting waiting) {
        OwnerKey owner = waiting.owner();
        WaiterInfo.Wants wants = waiting.reads()
                ? WaiterInfo.Wants.READ
                : waiting.permits() > 0 ? WaiterInfo.Wants.PERMITS : WaiterInfo.Wants.LOCK;
        return WaiterInfo.builder(position, wants, waiting.permits())
                .owner(owner == null ? null : owner.name())
                .process(
                        waiting.holder().host(),
                        waiting.holder().pid(),
                        waiting.holder().thread())
                .since(waiting.since())
                .alive(waiting.alive())
                .build();
    }
}
