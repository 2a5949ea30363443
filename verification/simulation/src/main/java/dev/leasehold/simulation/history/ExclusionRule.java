package dev.leasehold.simulation.history;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * C1: two owners never claim a lock at the same time, and never more permits of a semaphore than there are. A claim
 * extends from the grant, as its holder saw it, to the earliest of these: the deadline that the library last
 * reported, the release, the loss, or the end of the process. Time in which a machine's clocks paused belongs to no
 * claim.
 */
final class ExclusionRule {

    private final History history;
    private final Unpromised unpromised;
    private final Verdict verdict;
    private final Map<Integer, Claim> claims = new HashMap<>();
    private final Map<String, List<Claim>> byLock = new HashMap<>();
    /** The numbers of permits that each semaphore has had, in order; at first it has the usual one. */
    private final Map<String, List<Entry>> numbers = new HashMap<>();

    private final Set<String> hadHolder = new HashSet<>();
    private final Set<String> reported = new HashSet<>();

    /** The claim of one lease. */
    private static final class Claim {
        final Entry granted;
        long deadline;

        Claim(Entry granted) {
            this.granted = granted;
        }
    }

    ExclusionRule(History history, Unpromised unpromised, Verdict verdict) {
        this.history = history;
        this.unpromised = unpromised;
        this.verdict = verdict;
    }

    void check() {
        for (Entry entry : history.entries()) {
            switch (entry.what()) {
                case GRANTED -> granted(entry);
                case HELD -> claimed(entry);
                case NOT_HELD -> doubt(entry.op());
                // An exporting holder knows that the lease may be another's at any moment, and its own reports are
                // late.
                case RELEASE_INVOKED, LOST, SERVER_RESUMED -> end(entry.op());
                case CRASHED, CLOSED -> endAllOf(entry.client());
                case CLOCKS_JUMPED -> doubtAllOf(entry.client());
                case SERVER_PERMITS ->
                    numbers.computeIfAbsent(entry.lock(), lock -> new ArrayList<>())
                            .add(entry);
                default -> {}
            }
        }
    }

    private void granted(Entry entry) {
        Claim claim = new Claim(entry);
        claims.put(entry.op(), claim);
        byLock.computeIfAbsent(entry.lock(), lock -> new ArrayList<>()).add(claim);
        if (!hadHolder.add(entry.lock())) {
            verdict.judge(Rule.C1);
        }
        claimed(entry);
    }

    private void claimed(Entry entry) {
        Claim mine = claims.get(entry.op());
        if (mine == null) {
            return;
        }
        mine.deadline = entry.until();
        if (mine.deadline <= entry.at()) {
            return;
        }
        if (entry.ofPermits()) {
            tooMany(mine, entry.at());
            return;
        }
        for (Claim other : byLock.getOrDefault(entry.lock(), List.of())) {
            if (!other.granted.sameOwner(entry) && other.deadline > entry.at()) {
                overlap(other, mine, entry.at());
            }
        }
    }

    /** Checks that no more permits are claimed at a time than there are, except after a loss of data in Redis. */
    private void tooMany(Claim mine, long at) {
        long all = 0;
        long certain = 0;
        List<Claim> claimed = byLock.getOrDefault(mine.granted.lock(), List.of());
        for (Claim other : claimed) {
            if (other.deadline > at) {
                all += other.granted.token();
                boolean lost = other != mine
                        && (excused(mine, other, at)
                                || claimed.stream().anyMatch(later -> later != other && excused(other, later, at)));
                certain += lost ? 0 : other.granted.token();
            }
        }
        long permits = mostPermits(mine.granted);
        if (all <= permits || !reported.add(mine.granted.op() + " among others")) {
            return;
        }
        if (certain <= permits) {
            verdict.waive(Rule.C1);
        } else {
            verdict.violate(
                    Rule.C1,
                    at,
                    mine.granted.lock(),
                    "op " + mine.granted.op() + " of client " + mine.granted.client() + " and others claim " + certain
                            + " of " + permits + " permits");
        }
    }

    /** Returns the highest number of permits that a semaphore had since the hold of a lease began: a change takes none from its holders. */
    private long mostPermits(Entry lease) {
        long from = history.began(lease.op());
        long most = Entry.ALL_PERMITS;
        for (Entry number : numbers.getOrDefault(lease.lock(), List.of())) {
            most = number.at() < from ? number.token() : Math.max(most, number.token());
        }
        return most;
    }

    private void overlap(Claim a, Claim b, long at) {
        int low = Math.min(a.granted.op(), b.granted.op());
        if (!reported.add(low + " " + (a.granted.op() + b.granted.op() - low))) {
            return;
        }
        if (excused(a, b, at) || excused(b, a, at)) {
            verdict.waive(Rule.C1);
            return;
        }
        verdict.violate(
                Rule.C1,
                at,
                a.granted.lock(),
                "op " + a.granted.op() + " of client " + a.granted.client() + " and op " + b.granted.op()
                        + " of client " + b.granted.client() + " both claim it");
    }

    private boolean excused(Claim claim, Claim other, long at) {
        long from = since(claim);
        return (grantedByRedis(claim) <= grantedByRedis(other)
                        && unpromised.mayBeGrantedAgain(claim.granted, other.granted, from, at))
                || unpromised.clockMayHaveStood(claim.granted.client(), from, at);
    }

    /**
     * Orders claims by Redis' grants: a later grant replaces an earlier one, in whatever order the clients learn of
     * them.
     */
    private long grantedByRedis(Claim claim) {
        Entry granted = History.first(history.of(claim.granted.op()), What.SERVER_GRANTED);
        return granted == null
                ? claim.granted.at()
                : history.firstOfHold(granted).at();
    }

    private long since(Claim claim) {
        return history.began(claim.granted.op());
    }

    private void doubt(int op) {
        Claim claim = claims.get(op);
        if (claim != null) {
            claim.deadline = 0;
        }
    }

    private void end(int op) {
        Claim claim = claims.remove(op);
        if (claim != null) {
            byLock.getOrDefault(claim.granted.lock(), List.of()).remove(claim);
        }
    }

    private void doubtAllOf(int client) {
        for (Claim claim : claims.values()) {
            if (claim.granted.client() == client) {
                claim.deadline = 0;
            }
        }
    }

    private void endAllOf(int client) {
        for (Claim claim : List.copyOf(claims.values())) {
            if (claim.granted.client() == client) {
                end(claim.granted.op());
            }
        }
    }
}
