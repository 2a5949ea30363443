package dev.leasehold.simulation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Makes the faults of a plan. */
final class FaultMaker {

    private static final int MOST_GONE = 2;

    /** Before an answer is lost, up to so many arrive. */
    private static final int MOST_ANSWERS_KEPT = 4;

    private static final List<FaultKind> LOSSES =
            List.of(FaultKind.REQUEST_LOST, FaultKind.REPLY_LOST, FaultKind.REPLY_DELAYED);

    /** A server of a quorum cannot detect these: others may be granted its locks. */
    static final Set<FaultKind> UNDETECTED = EnumSet.of(FaultKind.CLOCK_FORWARD, FaultKind.EVICTION);

    /** The faults of a quorum, whose servers have no replicas, and whose transports send nothing twice. */
    static final Set<FaultKind> OF_QUORUM = EnumSet.of(
            FaultKind.REQUEST_LOST,
            FaultKind.REPLY_LOST,
            FaultKind.REQUEST_DELAYED,
            FaultKind.REPLY_DELAYED,
            FaultKind.REORDERED,
            FaultKind.CONNECTION_LOST,
            FaultKind.SERVER_PAUSED,
            FaultKind.RESTART_WITH_DATA,
            FaultKind.RESTART_WITHOUT_DATA,
            FaultKind.CLOCK_FORWARD,
            FaultKind.CLOCK_BACK,
            FaultKind.EVICTION,
            FaultKind.OUT_OF_MEMORY,
            FaultKind.BUSY,
            FaultKind.LOADING,
            FaultKind.NOSCRIPT,
            FaultKind.CLIENT_PAUSED,
            FaultKind.CLIENT_SUSPENDED,
            FaultKind.WALL_STEP,
            FaultKind.CLIENT_CRASHED,
            FaultKind.CLIENT_CLOSED);

    private static final FaultKind RESTARTS_EMPTY = FaultKind.RESTART_WITHOUT_DATA;

    /** A server whose clock is far behind the tokens that were given refuses. */
    private static final long MOST_BACK = 2 * PlanMaker.SECOND;

    private final Draws draws;
    private final int clients;
    private final int locks;
    private final long heals;

    /** Makes faults that are over at a moment. */
    FaultMaker(Draws draws, int clients, int locks, long heals) {
        this.draws = draws;
        this.clients = clients;
        this.locks = locks;
        this.heals = heals;
    }

    /** Makes the faults of a plan, in the order of time. */
    List<Fault> faults(boolean atMostOnce, boolean wakeUps) {
        boolean coveredOnly = draws.below(2) == 0;
        return faults(kinds(coveredOnly, atMostOnce, wakeUps));
    }

    private List<Fault> faults(List<FaultKind> kinds) {
        int count = 12 + draws.below(8);
        int gone = 0;
        List<Fault> faults = new ArrayList<>();
        while (faults.size() < count) {
            FaultKind kind = kinds.get(draws.below(kinds.size()));
            if (endsClient(kind)) {
                // Most of the clients have to remain.
                if (gone == MOST_GONE) {
                    continue;
                }
                gone++;
            }
            faults.add(fault(kind));
        }
        faults.addAll(companions(faults));
        faults.sort(Comparator.comparingLong(Fault::at));
        return faults;
    }

    /** Makes faults of which each that concerns a server strikes one of several. */
    List<Fault> faultsOfQuorum(int servers) {
        boolean undetectedToo = draws.either();
        List<FaultKind> kinds = OF_QUORUM.stream()
                .filter(kind -> undetectedToo || !UNDETECTED.contains(kind))
                .toList();
        List<Fault> faults = new ArrayList<>();
        for (Fault fault : faults(kinds)) {
            boolean server = fault.kind().scope == FaultKind.Scope.SERVER;
            faults.add(server ? on(draws.below(servers), fault.kind(), fault.at()) : fault);
            if (server && draws.chance(60)) {
                // Another server soon afterwards, perhaps while the first is still away.
                long at = fault.at() + draws.between(0, 1500) * PlanMaker.MILLI;
                faults.add(on(draws.below(servers), draws.chance(60) ? fault.kind() : RESTARTS_EMPTY, at));
            }
        }
        faults.sort(Comparator.comparingLong(Fault::at));
        return faults;
    }

    private Fault on(int server, FaultKind kind, long at) {
        Fault fault = fault(kind, at);
        long amount = kind == FaultKind.CLOCK_BACK ? Math.max(fault.amount(), -MOST_BACK) : fault.amount();
        return new Fault(kind, at, fault.duration(), Fault.SERVER - server, amount, fault.chance());
    }

    /** Makes faults that strike no more than a minority of several servers, with time between them, and no client. */
    List<Fault> faultsOfMinority(int servers) {
        List<FaultKind> kinds = OF_QUORUM.stream()
                .filter(kind -> kind.scope == FaultKind.Scope.SERVER)
                .toList();
        List<Fault> faults = new ArrayList<>();
        for (Fault fault : faults(kinds)) {
            if (draws.chance(35)) {
                faults.add(on(draws.below(servers / 2), fault.kind(), fault.at()));
            }
        }
        return faults;
    }

    /** Returns faults of the replica, and failovers to it, of which some follow soon after it began to lag. */
    List<Fault> faultsOfReplica() {
        List<Fault> faults = new ArrayList<>();
        int count = 3 + draws.below(4);
        for (int i = 0; i < count; i++) {
            Fault lags = fault(FaultKind.REPLICA_LAGS);
            faults.add(lags);
            if (draws.chance(70)) {
                faults.add(fault(
                        FaultKind.FAIL_OVER_TO_REPLICA,
                        draws.chance(60)
                                ? lags.at() + draws.below(lags.duration())
                                : draws.between(1000, heals / PlanMaker.MILLI - 4000) * PlanMaker.MILLI));
            }
        }
        return faults;
    }

    /** Returns faults of single answers and connections, with time between them, and of transports that send requests again. */
    List<Fault> faultsOfConnections(boolean atMostOnce) {
        List<Fault> faults = new ArrayList<>();
        if (!atMostOnce && draws.chance(50)) {
            long at = draws.between(1000, heals / PlanMaker.MILLI - 16_000) * PlanMaker.MILLI;
            Fault doubled = fault(FaultKind.DOUBLED, at);
            faults.add(new Fault(
                    FaultKind.DOUBLED,
                    at,
                    draws.between(4000, 12_000) * PlanMaker.MILLI,
                    doubled.client(),
                    draws.between(1000, 4000) * PlanMaker.MILLI,
                    (int) draws.between(10, 50)));
        }
        for (long at = draws.between(1000, 6000);
                at < heals / PlanMaker.MILLI - 4000;
                at += draws.between(1500, 8000)) {
            FaultKind kind = draws.chance(60) ? FaultKind.ANSWER_LOST : FaultKind.CONNECTION_SILENT;
            faults.add(fault(kind, at * PlanMaker.MILLI));
        }
        return faults;
    }

    /** Returns the kinds of faults that a plan may have. */
    static List<FaultKind> kinds(boolean coveredOnly, boolean atMostOnce, boolean wakeUps) {
        List<FaultKind> kinds = new ArrayList<>();
        for (FaultKind kind : FaultKind.usual()) {
            if ((kind.covered || !coveredOnly)
                    && (kind != FaultKind.DOUBLED || !atMostOnce)
                    && (kind != FaultKind.WAKE_UP_LOST || wakeUps)) {
                kinds.add(kind);
            }
        }
        return kinds;
    }

    /** Returns whether a client does nothing any more after a fault of this kind. */
    static boolean endsClient(FaultKind kind) {
        return kind == FaultKind.CLIENT_CRASHED || kind == FaultKind.CLIENT_CLOSED;
    }

    /**
     * Returns suspensions of machines whose connection is bad, so that their leases learn of nothing quickly. Some
     * are short enough for a lease to outlive them, and they follow one another.
     */
    private List<Fault> companions(List<Fault> faults) {
        List<Fault> companions = new ArrayList<>();
        for (Fault fault : faults) {
            if (fault.kind() == FaultKind.CLIENT_SUSPENDED && draws.chance(50)) {
                FaultKind kind = LOSSES.get(draws.below(LOSSES.size()));
                long at = Math.max(PlanMaker.SECOND, fault.at() - draws.between(0, 1500) * PlanMaker.MILLI);
                long duration = fault.duration() + draws.between(500, 3000) * PlanMaker.MILLI;
                companions.add(new Fault(kind, at, Math.min(duration, heals - at), fault.client(), amount(kind), 100));
            } else if (LOSSES.contains(fault.kind()) && draws.chance(30)) {
                long at = fault.at() + draws.below(fault.duration());
                companions.add(suspension(at, fault.client()));
                if (draws.chance(30)) {
                    companions.add(suspension(at + draws.between(300, 1200) * PlanMaker.MILLI, fault.client()));
                }
            }
        }
        return companions;
    }

    private Fault suspension(long at, int client) {
        return new Fault(FaultKind.CLIENT_SUSPENDED, at, draws.between(255, 700) * PlanMaker.MILLI, client, 0, 100);
    }

    private Fault fault(FaultKind kind) {
        return fault(kind, draws.between(1000, heals / PlanMaker.MILLI - 4000) * PlanMaker.MILLI);
    }

    /** Makes a fault of this kind at this time. */
    Fault fault(FaultKind kind, long at) {
        int client = kind.scope == FaultKind.Scope.SERVER ? Fault.SERVER : draws.below(clients);
        long duration = duration(kind);
        int chance = draws.chance(40) ? 100 : 20 + draws.below(70);
        return new Fault(kind, at, Math.min(duration, heals - at), client, amount(kind), chance);
    }

    private long duration(FaultKind kind) {
        return switch (kind) {
            case REQUEST_LOST, REPLY_LOST, REQUEST_DELAYED, REPLY_DELAYED, REORDERED, DOUBLED, WAKE_UP_LOST ->
                draws.between(200, 4000) * PlanMaker.MILLI;
            case SERVER_PAUSED -> draws.between(20, 3500) * PlanMaker.MILLI;
            case RESTART_WITH_DATA, RESTART_WITHOUT_DATA -> draws.between(5, 1500) * PlanMaker.MILLI;
            case FAIL_OVER_LAGGING, FAIL_OVER_CLOCK_AHEAD, FAIL_OVER_CLOCK_BEHIND, FAIL_OVER_TO_REPLICA ->
                draws.between(5, 1000) * PlanMaker.MILLI;
            case REPLICA_LAGS -> draws.between(200, 4000) * PlanMaker.MILLI;
            case OUT_OF_MEMORY, BUSY, LOADING, READONLY -> draws.between(50, 3000) * PlanMaker.MILLI;
            case CLIENT_PAUSED ->
                (draws.chance(30) ? draws.between(1, 200) : draws.between(200, 6000)) * PlanMaker.MILLI;
            case CLIENT_SUSPENDED ->
                (draws.chance(20) ? draws.between(1, 250) : draws.between(250, 6000)) * PlanMaker.MILLI;
            case ANSWER_LOST,
                    CONNECTION_SILENT,
                    CONNECTION_LOST,
                    CLOCK_FORWARD,
                    CLOCK_BACK,
                    EVICTION,
                    NOSCRIPT,
                    WALL_STEP,
                    CLIENT_CRASHED,
                    CLIENT_CLOSED -> 0;
        };
    }

    private long amount(FaultKind kind) {
        return switch (kind) {
            case REQUEST_DELAYED, REPLY_DELAYED -> draws.between(5, draws.chance(50) ? 300 : 4000) * PlanMaker.MILLI;
            case REORDERED -> draws.between(1, 800) * PlanMaker.MILLI;
            case REPLICA_LAGS -> draws.between(5, draws.chance(50) ? 150 : 2000) * PlanMaker.MILLI;
            case DOUBLED -> draws.between(1, 4000) * PlanMaker.MILLI;
            case FAIL_OVER_LAGGING -> 1 + draws.below(30);
            case FAIL_OVER_CLOCK_AHEAD, CLOCK_FORWARD -> draws.between(100, 4000) * PlanMaker.MILLI;
            case FAIL_OVER_CLOCK_BEHIND, CLOCK_BACK ->
                -draws.between(100, draws.chance(20) ? 60_000 : 4000) * PlanMaker.MILLI;
            case EVICTION -> draws.below(locks);
            case ANSWER_LOST -> draws.below(MOST_ANSWERS_KEPT + 1);
            case CONNECTION_SILENT -> draws.below(SimTransport.CONNECTIONS);
            case WALL_STEP -> (draws.chance(50) ? -1 : 1) * draws.between(300, 20_000) * PlanMaker.MILLI;
            case REQUEST_LOST,
                    REPLY_LOST,
                    WAKE_UP_LOST,
                    CONNECTION_LOST,
                    SERVER_PAUSED,
                    RESTART_WITH_DATA,
                    RESTART_WITHOUT_DATA,
                    OUT_OF_MEMORY,
                    BUSY,
                    LOADING,
                    READONLY,
                    NOSCRIPT,
                    CLIENT_PAUSED,
                    CLIENT_SUSPENDED,
                    CLIENT_CRASHED,
                    CLIENT_CLOSED,
                    FAIL_OVER_TO_REPLICA -> 0;
        };
    }
}
