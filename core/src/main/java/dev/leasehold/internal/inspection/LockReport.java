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
        return Optional.of(new LockInfo(
                key.name(),
                owner.name(),
                owner.named(),
                oldest.holder().host(),
                oldest.holder().pid(),
                oldest.holder().thread(),
                oldest.since(),
                Duration.ofNanos(left),
                permits ? 0 : state.token(),
                liveHolds(),
                label.isEmpty() ? null : label,
                state.handsOff(),
                state.retained(),
                reads,
                permitsHeld(),
                permits ? state.permits() : 0,
                waiters(),
                state.problem().isEmpty() ? null : state.problem()));
    }

    /** Somebody owns the lock, but no hold can be read. */
    private LockInfo unreadable() {
        return new LockInfo(
                key.name(),
                "",
                false,
                "",
                0,
                "",
                null,
                Duration.ZERO,
                0,
                0,
                null,
                false,
                false,
                false,
                0,
                0,
                waiters(),
                state.problem());
    }

    private List<WaiterInfo> waiters() {
        return IntStream.range(0, state.waiters().size())
                .mapToObj(i -> waiter(i + 1, state.waiters().get(i)))
                .toList();
    }

    private static WaiterInfo waiter(int position, InspectLock.Waiting waiting) {
        OwnerKey owner = waiting.owner();
        return new WaiterInfo(
                position,
                waiting.reads()
                        ? WaiterInfo.Wants.READ
                        : waiting.permits() > 0 ? WaiterInfo.Wants.PERMITS : WaiterInfo.Wants.LOCK,
                waiting.permits(),
                owner == null ? null : owner.name(),
                waiting.holder().host(),
                waiting.holder().pid(),
                waiting.holder().thread(),
                waiting.since(),
                waiting.alive());
    }
}
