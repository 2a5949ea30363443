package dev.leasehold.simulation;

import dev.leasehold.Candidacy;
import dev.leasehold.DemotionReason;
import dev.leasehold.LeaderListener;
import dev.leasehold.LockOptions;
import dev.leasehold.Term;
import dev.leasehold.internal.election.Candidates;
import dev.leasehold.simulation.history.Entry;
import dev.leasehold.simulation.history.What;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One candidate for election: what it hears, and what it does while it leads. */
final class Standing implements LeaderListener {

    private static final long LOOKS_NANOS = 200_000_000;

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

    Standing(Simulation simulation, Client client, Extra extra, int number) {
        this.simulation = simulation;
        this.client = client;
        this.election = extra.name();
        this.number = number;
        this.elections = client.elections();
        tell(What.STANDS, -1, number, 0, "");
        LockOptions options = LockOptions.builder()
                .leaseTime(Duration.ofNanos(extra.span()))
                .label(ServerTruth.CANDIDATE + number)
                .build();
        this.candidacy =
                elections.of(client.lock(election, true, options), options).stand(this);
        simulation.world.after(extra.amount(), () -> client.machine.deliver(this::leave));
    }

    /** Its candidacy would be closed, but for the waiting that belongs to that. */
    private void leave() {
        if (!leaves && !client.gone()) {
            leaves = true;
            tell(What.LEAVES, -1, number, 0, "");
            elections.closeAll();
        }
    }

    void resign() {
        candidacy.resign();
    }

    boolean stands() {
        return !leaves && !client.gone();
    }

    @Override
    public void onElected(Term elected) {
        term = elected;
        int given = simulation.server.truth().term(client.number, election, elected.fencingToken());
        op = given >= 0 ? given : simulation.nextExtra();
        tell(What.ELECTED, op, number, 0, "");
        tell(What.GRANTED, op, elected.fencingToken(), deadline(elected), "");
        simulation.met.count(Met.Deed.ELECTED);
        simulation.elected(this);
        mayWrite = false;
        if (look()) {
            tell(What.WITNESS_READ, op, 0, 0, "");
            mayWrite = simulation.resource(election).accept(elected.fencingToken());
            tell(What.READ, op, elected.fencingToken(), 0, mayWrite ? "accepted" : "refused");
        }
        leads(elected);
    }

    private void leads(Term mine) {
        client.machine.schedule(
                () -> {
                    if (term == mine) {
                        work(mine);
                        leads(mine);
                    }
                },
                LOOKS_NANOS);
    }

    private void work(Term mine) {
        if (look() && mayWrite) {
            tell(What.WITNESS_WROTE, op, 0, 0, "");
            boolean accepted = simulation.resource(election).accept(mine.fencingToken());
            tell(What.WROTE, op, mine.fencingToken(), 0, accepted ? "accepted" : "refused");
        }
    }

    /** Asks the term, if there is one. */
    boolean look() {
        Term mine = term;
        if (mine == null) {
            return false;
        }
        boolean held = mine.isHeld();
        tell(held ? What.HELD : What.NOT_HELD, op, 0, held ? deadline(mine) : 0, "");
        return held;
    }

    private long deadline(Term mine) {
        return simulation.world.now() + client.machine.trueSpan(mine.remaining().toNanos());
    }

    @Override
    public void onDemoted(Term ended, DemotionReason reason) {
        boolean lost = reason == DemotionReason.LOST;
        int of = term == ended ? op : simulation.nextExtra();
        tell(What.DEMOTED, of, number, 0, reason.name());
        tell(lost ? What.LOST : What.RELEASE_INVOKED, of, 0, 0, reason.name());
        simulation.met.count(lost ? Met.Deed.DEPOSED : Met.Deed.RESIGNED);
        term = null;
    }

    private void tell(What what, int of, long token, long until, String note) {
        simulation.history.add(
                new Entry(simulation.world.now(), client.number, of, what, election, "", token, until, note));
    }
}
