package dev.leasehold.simulation;

import dev.leasehold.Lease;
import dev.leasehold.LeaseLostException;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.MultiLease;
import dev.leasehold.event.LossCause;
import dev.leasehold.internal.engine.Engine;
import dev.leasehold.simulation.history.Entry;
import dev.leasehold.simulation.history.MajorityRule;
import dev.leasehold.simulation.history.What;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** One acquisition and its holder's actions with the lease. */
final class Hold {

    private static final long MAX_BODY_AFTER_HEALING = 300_000_000;

    /** The events that concern all locks that are acquired together. */
    private static final Set<What> OF_ALL = EnumSet.of(
            What.INVOKED,
            What.AWAITS_REPLICA,
            What.GRANTED,
            What.UNAVAILABLE,
            What.REFUSED,
            What.CANCELLED,
            What.HELD,
            What.NOT_HELD,
            What.THREW,
            What.LOST,
            What.RELEASE_INVOKED,
            What.RELEASED,
            What.RELEASE_LOST);

    final int number;
    final String lock;
    final Client client;
    final String owner;
    final boolean plain;
    final boolean reads;
    /** The number of permits of a semaphore; 0 if it is another lock. */
    final int permits;

    /** The lock acquired together with this one, under an operation of its own; empty if there is none. */
    final String other;

    private final int numberOfOther;
    private final Simulation simulation;
    private final Worker worker;
    private final Op op;
    private @Nullable Lease lease;
    private boolean mayWrite;
    /** Since when its minimum counts: a reader has what is left of that of the writer it was. */
    private long minimumFrom = -1;

    private boolean released;
    private boolean exported;
    private boolean closes;
    /** True if the lease was exported by another holder. */
    private boolean resumed;

    Hold(Simulation simulation, Client client, Worker worker, Op op, int number) {
        this(simulation, client, worker, op, number, op.use().reads());
    }

    private Hold(Simulation simulation, Client client, Worker worker, Op op, int number, boolean reads) {
        this.simulation = simulation;
        this.client = client;
        this.worker = worker;
        this.op = op;
        this.number = number;
        this.lock = simulation.locks.get(op.lock() % simulation.locks.size());
        this.plain = Entry.isPlain(lock);
        this.permits = op.use().permits();
        int second = op.use().other();
        this.other = second < 0 ? "" : simulation.locks.get(second);
        this.reads = reads;
        this.owner = owner(op);
        this.numberOfOther = other.isEmpty() ? -1 : simulation.nextOp();
    }

    private String owner(Op requested) {
        // All readers are one owner, and all holders of permits.
        if (reads || permits > 0) {
            return reads ? Entry.READERS : Entry.HOLDERS;
        }
        return requested.owner() == null || plain ? "" : requested.owner();
    }

    /** Returns for how long it waits for the replica; zero if it does not. */
    Duration replicaWithin() {
        return Duration.ofMillis(op.use().replicaMillis());
    }

    /** Returns the label by which Redis' data names the operation of a hold. */
    String label() {
        return ServerTruth.label(number, other, numberOfOther);
    }

    void report(What what, long token, long until, String note) {
        simulation.history.add(
                new Entry(simulation.world.now(), client.number, number, what, lock, owner, token, until, note));
        if (!other.isEmpty() && OF_ALL.contains(what)) {
            long tokenOfOther = what == What.GRANTED && !plain ? ((MultiLease) lease()).fencingToken(other) : 0;
            simulation.history.add(new Entry(
                    simulation.world.now(),
                    client.number,
                    numberOfOther,
                    what,
                    other,
                    owner,
                    tokenOfOther,
                    until,
                    note));
        }
    }

    /** Reports that the acquisition begins. */
    void invoked(long until, String note) {
        report(
                What.INVOKED,
                simulation.plan.setup().ofQuorum() ? simulation.quorum().earliestTime() : permits,
                until,
                note);
        if (!replicaWithin().isZero()) {
            report(What.AWAITS_REPLICA, 0, 0, "");
        }
        if (op.use().minHoldMillis() > 0) {
            long now = simulation.world.now();
            minimumFrom = minimumFrom < 0 ? now : minimumFrom;
            report(What.HAS_MINIMUM, 0, op.use().minHoldMillis() * PlanMaker.MILLI - (now - minimumFrom), "");
        }
    }

    /** Returns the hold of a lease that another process exported. */
    static Hold ofExported(Simulation simulation, Client client, Op op) {
        Worker idle = new Worker(simulation, client, Collections.emptyIterator());
        Hold hold = new Hold(simulation, client, idle, op, simulation.nextExtra());
        hold.resumed = true;
        return hold;
    }

    /** Handles the end of the acquisition. */
    void ended(@Nullable Lease granted, @Nullable Throwable failure) {
        if (granted != null) {
            granted(granted);
            return;
        }
        Throwable cause = unwrap(failure);
        if (!other.isEmpty() && (cause == null || cause instanceof LockUnavailableException)) {
            // One of them may have been acquired, and is being released.
            report(What.UNAVAILABLE, 0, 0, "maybe");
        } else if (cause == null) {
            report(What.BUSY, 0, 0, "");
        } else if (cause instanceof CancellationException) {
            report(What.CANCELLED, 0, 0, "");
        } else if (cause instanceof LockUnavailableException unavailable) {
            report(What.UNAVAILABLE, 0, 0, unavailable.mayBeTaken() ? "maybe" : "not");
        } else {
            report(What.REFUSED, 0, 0, cause.getClass().getSimpleName());
        }
        worker.next();
    }

    static @Nullable Throwable unwrap(@Nullable Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    private void granted(Lease granted) {
        lease = granted;
        ServerTruth truth = simulation.truth;
        if (reads) {
            truth.joins(number, Engine.holdOf(granted).value(), token());
        } else if (!plain && permits == 0 && truth.handed(client.number, number, lock, token())) {
            simulation.met.handedOff();
            if (op.use().retainMillis() > 0) {
                simulation.met.count(Met.Deed.TAKEN_OVER);
            }
        }
        if (granted instanceof MultiLease several) {
            simulation.met.several();
            if (!plain) {
                truth.handed(client.number, numberOfOther, other, several.fencingToken(other));
            }
        }
        boolean renewed = simulation.plan.setup().ofQuorum() && renewsWithin() > 0;
        report(What.GRANTED, permits > 0 ? permits : token(), deadline(), renewed ? MajorityRule.RENEWED : "");
        simulation.granted(this);
        granted.onLost(event -> {
            report(What.LOST, 0, 0, event.cause().name());
            if (exported && (event.cause() == LossCause.TAKEN_OVER || event.cause() == LossCause.DELETED)) {
                simulation.met.count(Met.Deed.TAKEN_FROM);
            }
        });
        if (simulation.plan.setup().listens() && other.isEmpty()) {
            report(What.LISTENS, 0, renewsWithin(), "");
            granted.onReleaseRequested(event -> {
                report(What.REQUESTED, 0, 0, "");
                simulation.met.count(Met.Deed.HEARD);
            });
        }
        boolean healed = simulation.world.now() >= simulation.plan.heals();
        long body = healed ? Math.min(op.body(), MAX_BODY_AFTER_HEALING) : op.body();
        for (Op.Act act : op.acts()) {
            if (act.at() <= body) {
                client.machine.schedule(() -> act(act), act.at());
            }
        }
        client.machine.schedule(this::release, body);
        Use.Export export = op.use().export();
        if (export != null && !resumed && !reads) {
            client.machine.schedule(() -> export(export), Math.min(export.after(), body));
        }
    }

    /** Returns how long after a confirmation it is renewed at the latest; 0 if it need not be. */
    private long renewsWithin() {
        boolean prolonged = op.acts().stream().anyMatch(act -> act.kind() == Op.Kind.EXTEND);
        boolean ends = op.renewals() < Integer.MAX_VALUE || op.maxHoldMillis() > 0;
        return (ends && op.use().retainMillis() == 0) || prolonged
                ? 0
                : (op.use().retainMillis() > 0 ? Worker.RETAINED_LEASE : op.leaseMillis() * PlanMaker.MILLI) / 2;
    }

    private void export(Use.Export export) {
        if (released) {
            return;
        }
        String string;
        try {
            string = client.export(lease());
        } catch (LeaseLostException lost) {
            return;
        } catch (IllegalStateException refused) {
            // Only a lease that may not be renewed for ever can be refused.
            if (op.maxHoldMillis() == 0) {
                throw refused;
            }
            return;
        }
        if (string == null) {
            return;
        }
        exported = true;
        report(What.EXPORTED, 0, renewsWithin(), "");
        resumedBy(simulation.clients.get(export.client()), export.delay(), string, export.cancelAfter());
        if (export.second() >= 0) {
            resumedBy(simulation.clients.get(export.second()), export.delay() * 2, string, -1);
        }
        if (mayWrite) {
            simulation.world.after(export.delay() + PlanMaker.SECOND, this::arriveAtResource);
        }
        switch (export.way()) {
            case CLOSES -> close();
            case GOES_ON -> closes = true;
            case RELEASES -> {}
        }
    }

    private void resumedBy(Client next, long delay, String string, long cancelAfter) {
        simulation.world.after(
                delay, () -> next.machine.deliver(() -> Resume.begin(simulation, next, op, string, cancelAfter)));
    }

    /** Handles that the client, which closes, gives the lease back. */
    void givenBack() {
        released = true;
        report(What.RELEASE_INVOKED, 0, 0, "");
        simulation.forget(this);
    }

    /** Closes a lease that was exported. */
    private void close() {
        if (!released) {
            released = true;
            report(What.RELEASE_INVOKED, 0, 0, "");
            simulation.forget(this);
            lease().close();
            report(What.RELEASED, 0, 0, "");
            worker.next();
        }
    }

    /** Returns the remaining time that the library reports, in true time. */
    private long deadline() {
        Duration remaining = lease().remaining();
        return simulation.world.now() + client.machine.trueSpan(remaining.toNanos());
    }

    private Lease lease() {
        return Objects.requireNonNull(lease);
    }

    private long token() {
        if (plain || permits > 0) {
            return 0;
        }
        return lease() instanceof MultiLease several ? several.fencingToken(lock) : lease().fencingToken();
    }

    /** Queries the lease. */
    boolean query() {
        boolean held = lease().isHeld();
        if (held) {
            report(What.HELD, 0, deadline(), "");
        } else {
            report(What.NOT_HELD, 0, 0, "");
        }
        return held;
    }

    private void act(Op.Act act) {
        if (released) {
            return;
        }
        switch (act.kind()) {
            case LOOK -> query();
            case ENSURE -> ensure();
            case EXTEND -> extend(act.amount(), act.cancelAfter());
            case READ -> read();
            case WRITE -> write(act.amount());
            case DOWNGRADE -> downgrade(act.cancelAfter());
        }
    }

    private void ensure() {
        // If the lease is merely suspect this call would wait for Redis, and a simulated thread must not wait.
        if (query()) {
            try {
                lease().ensureHeld();
            } catch (RuntimeException e) {
                report(What.THREW, 0, 0, e.getClass().getSimpleName());
            }
        }
    }

    private void extend(long nanos, long cancelAfter) {
        try {
            CompletionStage<Boolean> extension = lease().extendAsync(Duration.ofNanos(nanos));
            extension.whenComplete((held, failure) -> {
                if (failure == null && held && !released) {
                    query();
                }
            });
            cancel(extension, cancelAfter);
        } catch (IllegalArgumentException | IllegalStateException e) {
            report(What.REFUSED, 0, 0, "extension");
        }
    }

    /** Cancels a call after this time; never if it is below 0. */
    private void cancel(CompletionStage<?> call, long after) {
        if (after >= 0) {
            client.machine.schedule(() -> call.toCompletableFuture().cancel(false), after);
        }
    }

    private void downgrade(long cancelAfter) {
        if (!reads && !exported) {
            released = true;
            Hold reader = new Hold(simulation, client, worker, op, simulation.nextExtra(), true);
            reader.minimumFrom = minimumFrom;
            Downgrade.begin(simulation, this, reader, lease(), cancelAfter);
        }
    }

    private void read() {
        if (!op.careless() && !query()) {
            return;
        }
        if (!op.careless() && !exported) {
            report(What.WITNESS_READ, 0, 0, "");
        }
        mayWrite = simulation.resource(lock).accept(token());
        report(What.READ, token(), 0, mayWrite ? "accepted" : "refused");
    }

    private void write(long delay) {
        if (!mayWrite || (!op.careless() && !query())) {
            return;
        }
        // An exporting holder no longer relies on its lease: another may have it by now.
        if (!op.careless() && !exported) {
            report(What.WITNESS_WROTE, 0, 0, "");
        }
        // Once sent it arrives, whatever happens to the sender.
        simulation.world.after(delay, this::arriveAtResource);
    }

    private void arriveAtResource() {
        long token = token();
        boolean accepted = simulation.resource(lock).accept(token);
        report(What.WROTE, token, 0, accepted ? "accepted" : "refused");
    }

    private void release() {
        if (closes || released) {
            close();
            return;
        }
        released = true;
        report(What.RELEASE_INVOKED, 0, 0, "");
        simulation.forget(this);
        CompletionStage<@Nullable Void> release = lease().releaseAsync();
        release.whenComplete((nothing, failure) -> {
            Throwable cause = unwrap(failure);
            if (cause == null) {
                report(What.RELEASED, 0, 0, "");
            } else if (cause instanceof LeaseLostException lost) {
                report(What.RELEASE_LOST, 0, 0, lost.lossCause().name());
            } else {
                report(What.RELEASED, 0, 0, cause.toString());
            }
            worker.next();
        });
        cancel(release, op.use().releaseCancelledAfter());
        if (number % 8 == 0) {
            // Repeated while the first is under way, without effect.
            CompletionStage<@Nullable Void> unused = lease().releaseAsync();
        }
        if (op.staleWriteAfter() >= 0 && mayWrite) {
            simulation.world.after(op.staleWriteAfter(), this::arriveAtResource);
        }
    }
}
