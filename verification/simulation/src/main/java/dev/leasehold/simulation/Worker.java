package dev.leasehold.simulation;

import dev.leasehold.DistributedLock;
import dev.leasehold.Durability;
import dev.leasehold.Lease;
import dev.leasehold.LockOptions;
import dev.leasehold.MultiLease;
import dev.leasehold.MultiLock;
import dev.leasehold.Renewal;
import dev.leasehold.WaitStrategy;
import dev.leasehold.simulation.history.Entry;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** One thread of work of a client: acquires, holds, releases, as its plan says, and never waits for anything. */
final class Worker {

    static final long RETAINED_LEASE = 2 * PlanMaker.SECOND;
    private static final long WAIT_FOR_PLAIN = 4_000_000_000L;

    private final Simulation simulation;
    private final Client client;
    private final Iterator<Op> ops;

    Worker(Simulation simulation, Client client, Iterator<Op> ops) {
        this.simulation = simulation;
        this.client = client;
        this.ops = ops;
    }

    /** Continues with the next operation, when it is due. */
    void next() {
        if (ops.hasNext() && !client.gone()) {
            Op op = ops.next();
            long now = simulation.world.now();
            client.machine.schedule(() -> start(op), simulation.plan.beginsAt(op, now) - now);
        }
    }

    private void start(Op op) {
        if (client.gone() || !simulation.continues()) {
            return;
        }
        Hold hold = new Hold(simulation, client, this, op, simulation.nextOp());
        boolean fair = op.use().fair();
        boolean queues = op.wakeUps() && !hold.plain;
        // A step back of Redis' clock may keep a plain lock for longer than the simulation lasts.
        long wait = hold.plain && op.waitNanos() < 0 ? WAIT_FOR_PLAIN : op.waitNanos();
        long most = wait == 0
                ? simulation.limits.commandTimeout().plus(hold.replicaWithin()).toNanos()
                : wait;
        hold.invoked(
                wait < 0 ? 0 : simulation.world.now() + most,
                fair ? "fair" : !hold.other.isEmpty() ? Entry.TOGETHER : queues ? "woken" : "");
        Requested requested = hold.other.isEmpty() ? request(hold, fair, op, wait) : requestBoth(hold, op, wait);
        requested.outcome.whenComplete(
                (lease, failure) -> hold.ended(lease == null ? null : lease.orElse(null), failure));
        if (op.cancelAfter() >= 0) {
            client.machine.schedule(() -> requested.stage.toCompletableFuture().cancel(false), op.cancelAfter());
        }
    }

    /** The stage that the library returned, for its cancellation, and its result. */
    private record Requested(CompletionStage<?> stage, CompletionStage<Optional<Lease>> outcome) {}

    private Requested request(Hold hold, boolean fair, Op op, long wait) {
        LockOptions options = options(op, hold);
        DistributedLock lock = lock(hold, fair, options);
        if (wait < 0) {
            CompletionStage<Lease> unlimited = lock.acquireAsync();
            return new Requested(unlimited, unlimited.thenApply(Optional::of));
        }
        CompletionStage<Optional<Lease>> limited =
                wait == 0 ? lock.tryAcquireAsync() : lock.tryAcquireAsync(Duration.ofNanos(wait));
        return new Requested(limited, limited);
    }

    private DistributedLock lock(Hold hold, boolean fair, LockOptions options) {
        if (hold.reads) {
            return client.reads(hold.lock, options);
        }
        if (hold.permits > 0) {
            return client.permits(hold.lock, hold.permits, fair, options);
        }
        DistributedLock lock = client.lock(hold.lock, fair, options);
        return hold.owner.isEmpty() ? lock : lock.ownedBy(hold.owner);
    }

    private Requested requestBoth(Hold hold, Op op, long wait) {
        MultiLock locks = client.locks(List.of(hold.lock, hold.other), options(op, hold));
        if (wait < 0) {
            CompletionStage<MultiLease> unlimited = locks.acquireAsync();
            return new Requested(unlimited, unlimited.thenApply(Optional::of));
        }
        CompletionStage<Optional<MultiLease>> limited =
                wait == 0 ? locks.tryAcquireAsync() : locks.tryAcquireAsync(Duration.ofNanos(wait));
        return new Requested(limited, limited.thenApply(lease -> lease.map(Lease.class::cast)));
    }

    static LockOptions options(Op op, Hold hold) {
        Renewal renewal = op.renewals() == 0
                ? Renewal.none()
                : op.renewals() == Integer.MAX_VALUE
                        ? Renewal.whileHeld()
                        : Renewal.whileHeld().atMost(op.renewals());
        if (op.use().retainMillis() > 0) {
            return retaining(op, hold);
        }
        Duration within = hold.replicaWithin();
        return LockOptions.builder()
                .durability(within.isZero() ? Durability.none() : Durability.replicas(1, within))
                .leaseTime(Duration.ofMillis(op.leaseMillis()))
                .renewal(renewal)
                .minHold(
                        op.use().minHoldMillis() == 0
                                ? null
                                : Duration.ofMillis(op.use().minHoldMillis()))
                .maxHold(op.maxHoldMillis() == 0 ? null : Duration.ofMillis(op.maxHoldMillis()))
                .waitStrategy(new WaitStrategy(Duration.ofMillis(op.pollMillis()), Integer.MAX_VALUE, op.wakeUps()))
                .label(hold.label())
                .build();
    }

    /** Options that are alike for all acquisitions of a client, so that each can take over the hold of the one before. */
    private static LockOptions retaining(Op op, Hold hold) {
        return LockOptions.builder()
                .leaseTime(Duration.ofNanos(RETAINED_LEASE))
                .retainFor(Duration.ofMillis(op.use().retainMillis()))
                .waitStrategy(new WaitStrategy(Duration.ofMillis(op.pollMillis()), Integer.MAX_VALUE, op.wakeUps()))
                .label(hold.label())
                .build();
    }
}
