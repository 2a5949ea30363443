package dev.leasehold.internal.election;

import dev.leasehold.Lease;
import dev.leasehold.LockOptions;
import dev.leasehold.internal.concurrent.SerialExecutor;
import dev.leasehold.internal.key.Names;
import dev.leasehold.internal.lock.LockView;
import dev.leasehold.internal.request.RequestContext;
import dev.leasehold.internal.request.StepExecutor;
import dev.leasehold.internal.time.BoundedWait;
import dev.leasehold.recipes.Candidacy;
import dev.leasehold.recipes.DemotionReason;
import dev.leasehold.recipes.LeaderListener;
import dev.leasehold.recipes.Term;
import dev.leasehold.spi.Timer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One candidate: it waits for the lock, leads while it holds the lease, and waits again when the lease has ended. Grants,
 * losses, calls and timers pass through one queue and are handled one after another on the event executor; the listener is
 * called there too. The candidate stands again only after its listener was notified of the end of the last term.
 */
final class Candidate implements Candidacy {

    private static final Logger LOG = LoggerFactory.getLogger("dev.leasehold.elections");

    private static final long FIRST_PAUSE_NANOS = 1_000_000_000;
    private static final int MAX_DOUBLINGS = 3;

    private final RequestContext context;
    private final StepExecutor steps;
    private final SerialExecutor executor;
    private final Candidates elections;
    private final LockView lock;
    private final LockOptions options;
    private final LeaderListener listener;

    private final AtomicBoolean ending = new AtomicBoolean();
    private volatile boolean ended;
    private volatile @Nullable TermView current;
    private volatile @Nullable CompletableFuture<Lease> attempt;
    private volatile @Nullable Thread notifying;

    private volatile boolean releasing;

    /** Only touched by events of the queue. */
    private Timer.@Nullable Timeout pause;

    private int failures;

    Candidate(
            ElectionServices services,
            Candidates elections,
            LockView lock,
            LockOptions options,
            LeaderListener listener) {
        this.context = services.context();
        this.steps = services.steps();
        this.executor = new SerialExecutor(services.executor());
        this.elections = elections;
        this.lock = lock;
        this.options = options;
        this.listener = listener;
    }

    void begin() {
        elections.add(this);
        signal(this::stand);
    }

    @Override
    public String name() {
        return lock.name();
    }

    @Override
    public Optional<Term> term() {
        TermView term = current;
        return term != null && term.isHeld() ? Optional.of(term) : Optional.empty();
    }

    @Override
    public void resign() {
        TermView term = current;
        if (term != null) {
            releaseAtLast(term);
            signal(() -> giveUp(term, DemotionReason.RESIGNED));
        }
    }

    @Override
    public void close() {
        end();
        if (Thread.currentThread() != notifying) {
            new BoundedWait(context.clocks().time(), context.commandNanos()).until(() -> ended);
        }
    }

    /** Begins to end the candidacy. */
    void end() {
        if (ending.compareAndSet(false, true)) {
            TermView term = current;
            if (term != null) {
                releaseAtLast(term);
            }
            signal(this::leave);
        }
    }

    private void leave() {
        CompletableFuture<Lease> waiting = attempt;
        TermView term = current;
        if (waiting != null) {
            // The stage reports it to this candidate as a failure, unless a lease was granted before.
            waiting.cancel(false);
        } else if (term != null) {
            giveUp(term, DemotionReason.CLOSED);
        } else if (!releasing) {
            finish();
        }
    }

    /**
     * Returns whether the listener of a candidate that ends was notified of the end of its term, if it had one. The thread that runs
     * the listener does not wait for it.
     */
    boolean demoted() {
        return ended || releasing || Thread.currentThread() == notifying;
    }

    private void finish() {
        Timer.Timeout left = pause;
        if (left != null) {
            left.cancel();
        }
        ended = true;
        elections.remove(this);
    }

    private void stand() {
        pause = null;
        if (ending.get()) {
            finish();
            return;
        }
        CompletableFuture<Lease> asked = lock.stand().toCompletableFuture();
        attempt = asked;
        CompletionStage<Lease> stage = asked;
        stage.whenComplete((lease, failure) -> signal(() -> answered(lease, failure)));
    }

    private void answered(@Nullable Lease lease, @Nullable Throwable failure) {
        attempt = null;
        if (lease == null) {
            failed(failure);
            return;
        }
        failures = 0;
        // A client that closes sets the flag before it looks for leases that lead.
        if (ending.get()) {
            release(lease, false);
            return;
        }
        TermView term = new TermView(lease);
        current = term;
        LOG.info("elected by {}, fencing token {}", lock, term.fencingToken());
        lease.onLost(loss -> signal(() -> lost(term)));
        if (!notified(() -> listener.onElected(term))) {
            giveUp(term, DemotionReason.FAILED);
        }
    }

    private void failed(@Nullable Throwable failure) {
        if (ending.get() || context.closed()) {
            finish();
            return;
        }
        if (failures++ == 0) {
            LOG.warn("cannot stand for election by {} now, and will try again: {}", lock, reason(failure));
        } else {
            LOG.debug("still cannot stand for election by {}: {}", lock, reason(failure));
        }
        standLater(failures);
    }

    private static String reason(@Nullable Throwable failure) {
        return failure == null ? "no reason given" : Names.escapeReason(failure.getMessage());
    }

    private void standLater(int times) {
        long nanos = FIRST_PAUSE_NANOS << Math.min(times - 1, MAX_DOUBLINGS);
        long spread = (long) (nanos * (0.75 + 0.5 * context.jitter()));
        pause = context.timer().schedule(() -> signal(this::stand), spread);
    }

    private void lost(TermView term) {
        if (current != term) {
            return;
        }
        current = null;
        LOG.warn("demoted by {}: the lease of its term was lost", lock);
        boolean unused = notified(() -> listener.onDemoted(term, DemotionReason.LOST));
        stand();
    }

    /** Notifies the listener first, so that the next leader does not overlap with the work of this one. */
    private void giveUp(TermView term, DemotionReason reason) {
        if (current != term) {
            return;
        }
        current = null;
        releaseAtLast(term);
        LOG.info("gives up its term by {}: {}", lock, reason);
        boolean unused = notified(() -> listener.onDemoted(term, reason));
        release(term.lease, reason == DemotionReason.FAILED);
    }

    private void release(Lease lease, boolean pauses) {
        releasing = true;
        lease.releaseAsync()
                .whenComplete((done, lost) -> signal(() -> {
                    releasing = false;
                    if (pauses && !ending.get()) {
                        standLater(1);
                    } else {
                        stand();
                    }
                }));
    }

    /** Releases the term after one lease at the latest, so that other candidates do not wait for a listener that never returns. */
    private void releaseAtLast(TermView term) {
        if (term.bounded.compareAndSet(false, true)) {
            Timer.Timeout unused = context.timer()
                    .schedule(
                            () -> steps.run(term.lease::releaseAsync),
                            options.leaseTime().toNanos());
        }
    }

    private boolean notified(Runnable call) {
        notifying = Thread.currentThread();
        try {
            call.run();
            return true;
        } catch (RuntimeException | Error e) {
            LOG.warn("the listener of {} threw", lock, e);
            return false;
        } finally {
            notifying = null;
        }
    }

    private void signal(Runnable event) {
        try {
            executor.execute(event);
        } catch (RejectedExecutionException e) {
            refused(e);
        }
    }

    /** No event can be delivered any more: the candidate gives up everything. */
    private void refused(RejectedExecutionException e) {
        if (ended) {
            return;
        }
        LOG.warn("the candidate by {} ends without notice to its listener: the event executor refuses it", lock, e);
        ending.set(true);
        ended = true;
        elections.remove(this);
        CompletableFuture<Lease> waiting = attempt;
        if (waiting != null) {
            waiting.cancel(false);
        }
        TermView term = current;
        if (term != null) {
            CompletionStage<@Nullable Void> unused = term.lease.releaseAsync();
        }
    }

    @Override
    public String toString() {
        TermView term = current;
        return "Candidacy[" + lock + (term == null ? "" : ", " + term) + "]";
    }
}
