package dev.leasehold.simulation;

import dev.leasehold.LockOptions;
import dev.leasehold.internal.election.Candidates;
import dev.leasehold.internal.lock.LockView;
import dev.leasehold.recipes.Candidacy;
import dev.leasehold.recipes.DemotionReason;
import dev.leasehold.recipes.LeaderListener;
import dev.leasehold.recipes.Term;
import dev.leasehold.simulation.history.Entry;
import dev.leasehold.simulation.history.What;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One candidate for election: its notifications, and its actions while it leads. */
final class SimCandidate implements LeaderListener {

    private static final long POLL_NANOS = 200_000_000;

    final Client client;
    private final Simulation simulation;
    private final String election;
    private final Candidates elections;
    private final Candidacy candidacy;
    private final int number;
    private @Nullable Term term;
    private int op;
    private boolean mayWrite;
    private boolean leaves;

    SimCandidate(Simulation simulation, Client client, Extra extra, int number) {
        this.simulation = simulation;
        this.client = client;
        this.election = extra.name();
        this.number = number;
        this.elections = client.elections();
        report(What.CANDIDACY_BEGINS, -1, number, 0, "");
        LockOptions options = LockOptions.builder()
                .leaseTime(Duration.ofNanos(extra.span()))
                .label(ServerTruth.CANDIDATE + number)
                .build();
        LockView lock = (LockView) client.lock(election, true, options);
        this.candidacy = elections.of(lock, options).stand(this);
        simulation.world.after(extra.amount(), () -> client.machine.deliver(this::leave));
    }

    /** Leaves: closing the candidacy would do this, but would wait. */
    private void leave() {
        if (!leaves && !client.gone()) {
            leaves = true;
            report(What.CANDIDACY_ENDS, -1, number, 0, "");
            elections.closeAll();
        }
    }

    void resign() {
        candidacy.resign();
    }

    boolean isCandidate() {
        return !leaves && !client.gone();
    }

    @Override
    public void onElected(Term elected) {
        term = elected;
        int given = simulation.truth.term(client.number, election, elected.fencingToken());
        op = given >= 0 ? given : simulation.nextExtra();
        report(What.ELECTED, op, number, 0, "");
        report(What.GRANTED, op, elected.fencingToken(), deadline(elected), "");
        simulation.met.count(Met.Deed.ELECTED);
        simulation.elected(this);
        mayWrite = false;
        if (query()) {
            report(What.WITNESS_READ, op, 0, 0, "");
            mayWrite = simulation.resource(election).accept(elected.fencingToken());
            report(What.READ, op, elected.fencingToken(), 0, mayWrite ? "accepted" : "refused");
        }
        leads(elected);
    }

    private void leads(Term current) {
        client.machine.schedule(
                () -> {
                    if (term == current) {
                        work(current);
                        leads(current);
                    }
                },
                POLL_NANOS);
    }

    private void work(Term current) {
        if (query() && mayWrite) {
            report(What.WITNESS_WROTE, op, 0, 0, "");
            boolean accepted = simulation.resource(election).accept(current.fencingToken());
            report(What.WROTE, op, current.fencingToken(), 0, accepted ? "accepted" : "refused");
        }
    }

    /** Queries the term, if there is one. */
    boolean query() {
        Term current = term;
        if (current == null) {
            return false;
        }
        boolean held = current.isHeld();
        report(held ? What.HELD : What.NOT_HELD, op, 0, held ? deadline(current) : 0, "");
        return held;
    }

    private long deadline(Term current) {
        return simulation.world.now()
                + client.machine.trueSpan(current.remaining().toNanos());
    }

    @Override
    public void onDemoted(Term ended, DemotionReason reason) {
        boolean lost = reason == DemotionReason.LOST;
        int of = term == ended ? op : simulation.nextExtra();
        report(What.DEMOTED, of, number, 0, reason.name());
        report(lost ? What.LOST : What.RELEASE_INVOKED, of, 0, 0, reason.name());
        simulation.met.count(lost ? Met.Deed.DEPOSED : Met.Deed.RESIGNED);
        term = null;
    }

    private void report(What what, int of, long token, long until, String note) {
        simulation.history.add(
                new Entry(simulation.world.now(), client.number, of, what, election, "", token, until, note));
    }
}
