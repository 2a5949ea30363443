package dev.leasehold.simulation;

import dev.leasehold.Lease;
import dev.leasehold.LeaseLostException;
import dev.leasehold.LeaseNotResumableException;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.MultiLease;
import dev.leasehold.event.LossCause;
import dev.leasehold.internal.engine.Engine;
import dev.leasehold.simulation.history.Entry;
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

/** One acquisition and what its holder does with the lease. */
final class Hold {

    private static final long MAX_BODY_AFTER_HEALING = 300_000_000;

    /** What is true of all locks that are taken together. */
    private static final Set<What> OF_ALL = EnumSet.of(
            What.INVOKED,
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
    /** How many permits of a semaphore; 0 if it is another lock. */
    final int permits;

    /** Taken together with the lock, under an operation of its own; empty if there is none. */
    final String other;

    private final int numberOfOther;
    private final Simulation simulation;
    private final Worker worker;
    private final Op op;
    private @Nullable Lease lease;
    private boolean mayWrite;
    private boolean released;
    private boolean exported;
    private boolean closes;
    /** Whether the lease was another's, who exported it. */
    private boolean resumed;

    Hold(Simulation simulation, Client client, Worker worker, Op op, int number) {
        this.simulation = simulation;
        this.client = client;
        this.worker = worker;
        this.op = op;
        this.number = number;
        this.lock = simulation.locks.get(op.lock() % simulation.locks.size());
        this.plain = Entry.isPlain(lock);
        this.permits = Entry.isSemaphore(lock) ? simulation.plan.permits(op) : 0;
        int second = simulation.plan.otherLock(op);
        this.other = second < 0 ? "" : simulation.locks.get(second);
        this.reads = other.isEmpty() && simulation.plan.reads(op, lock);
        this.owner = owner(op);
        this.numberOfOther = other.isEmpty() ? -1 : simulation.nextOp();
    }

    private String owner(Op asked) {
        // All who read are one owner, and all who hold permits.
        if (reads || permits > 0) {
            return reads ? Entry.READERS : Entry.HOLDERS;
        }
        return asked.owner() == null || plain ? "" : asked.owner();
    }

    /** Tells Redis of which operation a hold is. */
    String label() {
        return ServerTruth.label(number, other, numberOfOther);
    }

    void tell(What what, long token, long until, String note) {
        simulation.history.add(
                new Entry(simulation.world.now(), client.number, number, what, lock, owner, token, until, note));
        if (!other.isEmpty() && OF_ALL.contains(what)) {
            long tokenOfOther = what == What.GRANTED ? ((MultiLease) lease()).fencingToken(other) : 0;
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

    /** The lease of another process that exported it, taken over by this one. */
    static void resume(Simulation simulation, Client client, Op op, String string, long cancelAfter) {
        if (client.gone()) {
            return;
        }
        Worker nobody = new Worker(simulation, client, Collections.emptyIterator());
        Hold hold = new Hold(simulation, client, nobody, op, simulation.nextExtra());
        hold.resumed = true;
        hold.tell(
                What.INVOKED,
                0,
                simulation.world.now() + simulation.limits.commandTimeout().toNanos(),
                "");
        CompletionStage<Lease> resuming = client.resume(string, Worker.options(op, hold));
        resuming.whenComplete((lease, failure) -> {
            if (lease != null) {
                simulation.met.count(Met.Deed.RESUMED);
            } else if (unwrap(failure) instanceof LeaseNotResumableException) {
                simulation.met.count(Met.Deed.RESUMED_IN_VAIN);
            }
            hold.ended(lease, failure);
        });
        if (cancelAfter >= 0) {
            client.machine.schedule(() -> resuming.toCompletableFuture().cancel(false), cancelAfter);
        }
    }

    /** How the acquisition ended. */
    void ended(@Nullable Lease granted, @Nullable Throwable failure) {
        if (granted != null) {
            granted(granted);
            return;
        }
        Throwable cause = unwrap(failure);
        if (!other.isEmpty() && (cause == null || cause instanceof LockUnavailableException)) {
            // One of them may have been taken, and is on its way back.
            tell(What.UNAVAILABLE, 0, 0, "maybe");
        } else if (cause == null) {
            tell(What.BUSY, 0, 0, "");
        } else if (cause instanceof CancellationException) {
            tell(What.CANCELLED, 0, 0, "");
        } else if (cause instanceof LockUnavailableException unavailable) {
            tell(What.UNAVAILABLE, 0, 0, unavailable.mayBeTaken() ? "maybe" : "not");
        } else {
            tell(What.REFUSED, 0, 0, cause.getClass().getSimpleName());
        }
        worker.next();
    }

    private static @Nullable Throwable unwrap(@Nullable Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    private void granted(Lease granted) {
        lease = granted;
        ServerTruth truth = simulation.server.truth();
        if (reads) {
            truth.joins(number, Engine.holdOf(granted).value(), token());
        } else if (!plain && permits == 0 && truth.handed(client.number, number, lock, token())) {
            simulation.met.handedOn();
        }
        if (granted instanceof MultiLease several) {
            simulation.met.several();
            truth.handed(client.number, numberOfOther, other, several.fencingToken(other));
        }
        tell(What.GRANTED, permits > 0 ? permits : token(), deadline(), "");
        simulation.granted(this);
        granted.onLost(event -> {
            tell(What.LOST, 0, 0, event.cause().name());
            if (exported && (event.cause() == LossCause.TAKEN_OVER || event.cause() == LossCause.DELETED)) {
                simulation.met.count(Met.Deed.TAKEN_FROM);
            }
        });
        if (Kinds.REQUESTS.in(simulation.plan.seed()) && other.isEmpty()) {
            tell(What.LISTENS, 0, renewsWithin(), "");
            granted.onReleaseRequested(event -> {
                tell(What.ASKED, 0, 0, "");
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
        Plan.Export export = simulation.plan.export(op);
        if (export != null && !resumed && other.isEmpty() && !plain && permits == 0 && !reads) {
            client.machine.schedule(() -> export(export), Math.min(export.after(), body));
        }
    }

    /** How long after a confirmation it is renewed at the latest; 0 if it need not be. */
    private long renewsWithin() {
        boolean prolonged = op.acts().stream().anyMatch(act -> act.kind() == Op.Kind.EXTEND);
        return op.renewals() < Integer.MAX_VALUE || op.maxHoldMillis() > 0 || prolonged
                ? 0
                : op.leaseMillis() * PlanMaker.MILLI / 2;
    }

    private void export(Plan.Export export) {
        if (released) {
            return;
        }
        String string;
        try {
            string = lease().export();
        } catch (LeaseLostException lost) {
            return;
        }
        exported = true;
        tell(What.EXPORTED, 0, renewsWithin(), "");
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
                delay, () -> next.machine.deliver(() -> Hold.resume(simulation, next, op, string, cancelAfter)));
    }

    /** Lets go of a lease that was exported. */
    private void close() {
        if (!released) {
            released = true;
            tell(What.RELEASE_INVOKED, 0, 0, "");
            simulation.forget(this);
            lease().close();
            tell(What.RELEASED, 0, 0, "");
            worker.next();
        }
    }

    /** What remains by the library's own word, in true time. */
    private long deadline() {
        Duration remaining = lease().remaining();
        return simulation.world.now() + client.machine.trueSpan(remaining.toNanos());
    }

    private Lease lease() {
        return Objects.requireNonNull(lease);
    }

    private long token() {
        if (lease() instanceof MultiLease several) {
            return several.fencingToken(lock);
        }
        return plain || permits > 0 ? 0 : lease().fencingToken();
    }

    /** Asks the lease. */
    boolean look() {
        boolean held = lease().isHeld();
        if (held) {
            tell(What.HELD, 0, deadline(), "");
        } else {
            tell(What.NOT_HELD, 0, 0, "");
        }
        return held;
    }

    private void act(Op.Act act) {
        if (released) {
            return;
        }
        switch (act.kind()) {
            case LOOK -> look();
            case ENSURE -> ensure();
            case EXTEND -> extend(act.amount());
            case READ -> read();
            case WRITE -> write(act.amount());
        }
    }

    private void ensure() {
        // If the lease is merely suspect it would wait for Redis, and here nobody may wait.
        if (look()) {
            try {
                lease().ensureHeld();
            } catch (RuntimeException e) {
                tell(What.THREW, 0, 0, e.getClass().getSimpleName());
            }
        }
    }

    private void extend(long nanos) {
        try {
            lease().extendAsync(Duration.ofNanos(nanos)).whenComplete((held, failure) -> {
                if (failure == null && held && !released) {
                    look();
                }
            });
        } catch (IllegalArgumentException | IllegalStateException e) {
            tell(What.REFUSED, 0, 0, "extension");
        }
    }

    private void read() {
        if (!op.careless() && !look()) {
            return;
        }
        if (!op.careless() && !exported) {
            tell(What.WITNESS_READ, 0, 0, "");
        }
        mayWrite = simulation.resource(lock).accept(token());
        tell(What.READ, token(), 0, mayWrite ? "accepted" : "refused");
    }

    private void write(long delay) {
        if (!mayWrite || (!op.careless() && !look())) {
            return;
        }
        // Who has exported goes by the word of its lease no more: another may have it by now.
        if (!op.careless() && !exported) {
            tell(What.WITNESS_WROTE, 0, 0, "");
        }
        // Once sent it arrives, whatever becomes of the sender.
        simulation.world.after(delay, this::arriveAtResource);
    }

    private void arriveAtResource() {
        long token = token();
        boolean accepted = simulation.resource(lock).accept(token);
        tell(What.WROTE, token, 0, accepted ? "accepted" : "refused");
    }

    private void release() {
        if (closes || released) {
            close();
            return;
        }
        released = true;
        tell(What.RELEASE_INVOKED, 0, 0, "");
        simulation.forget(this);
        lease().releaseAsync().whenComplete((nothing, failure) -> {
            Throwable cause = unwrap(failure);
            if (cause == null) {
                tell(What.RELEASED, 0, 0, "");
            } else if (cause instanceof LeaseLostException lost) {
                tell(What.RELEASE_LOST, 0, 0, lost.lossCause().name());
            } else {
                tell(What.RELEASED, 0, 0, cause.toString());
            }
            worker.next();
        });
        if (number % 8 == 0) {
            // Once more while the first is under way: that changes nothing.
            CompletionStage<@Nullable Void> unused = lease().releaseAsync();
        }
        if (op.staleWriteAfter() >= 0 && mayWrite) {
            simulation.world.after(op.staleWriteAfter(), this::arriveAtResource);
        }
    }
}
