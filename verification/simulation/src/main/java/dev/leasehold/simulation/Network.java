package dev.leasehold.simulation;

import dev.leasehold.testkit.Fate;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** Decides the fate of each request of one client. */
final class Network {

    private static final long USUAL_NANOS = 300_000;
    private static final long SLOW_NANOS = 15_000_000;

    private final World world;
    private final RandomGenerator random;
    private final Met met;
    private final List<Fault> faults = new ArrayList<>();
    /** How many answers arrive before one that is lost; below 0 if none is to be lost. */
    private long answersUntilLoss = -1;

    Network(World world, RandomGenerator random, Met met) {
        this.world = world;
        this.random = random;
        this.met = met;
    }

    void strike(Fault fault) {
        if (fault.kind() == FaultKind.ANSWER_LOST) {
            answersUntilLoss = fault.amount();
        } else {
            faults.add(fault);
        }
    }

    /** Returns whether the next request is affected by no fault and takes negligible time. */
    boolean calm() {
        faults.removeIf(fault -> !fault.activeAt(world.now()));
        return faults.isEmpty() && answersUntilLoss < 0;
    }

    Fate next() {
        long request = latency();
        long reply = latency();
        boolean requestLost = false;
        boolean replyLost = false;
        long copyAfter = -1;
        if (!calm()) {
            for (Fault fault : faults) {
                if (fault.kind() == FaultKind.WAKE_UP_LOST || random.nextInt(100) >= fault.chance()) {
                    continue;
                }
                met.count(fault.kind());
                long some = fault.amount() == 0 ? 0 : random.nextLong(fault.amount()) + 1;
                switch (fault.kind()) {
                    case REQUEST_LOST -> requestLost = true;
                    case REPLY_LOST -> replyLost = true;
                    case REQUEST_DELAYED, REORDERED -> request += some;
                    case REPLY_DELAYED -> reply += some;
                    case DOUBLED -> copyAfter = some;
                    default -> throw new IllegalStateException(fault.kind() + " does not concern the network");
                }
            }
        }
        if (answersUntilLoss >= 0 && answersUntilLoss-- == 0) {
            met.count(FaultKind.ANSWER_LOST);
            replyLost = true;
        }
        return new Fate(request, reply, requestLost, replyLost, copyAfter, false);
    }

    /** Returns whether a message of a channel is lost on its way. */
    boolean losesMessage() {
        if (calm()) {
            return false;
        }
        for (Fault fault : faults) {
            if (fault.kind() == FaultKind.WAKE_UP_LOST && random.nextInt(100) < fault.chance()) {
                met.count(fault.kind());
                return true;
            }
        }
        return false;
    }

    /** Returns whether a message arrives twice. */
    boolean doublesMessage() {
        return !calm()
                && faults.stream()
                        .anyMatch(fault -> fault.kind() == FaultKind.DOUBLED && random.nextInt(100) < fault.chance());
    }

    /** Returns whether requests may overtake each other now: each has a connection of its own. */
    boolean reorders() {
        return faults.stream().anyMatch(fault -> fault.kind() == FaultKind.REORDERED);
    }

    long latency() {
        long most = random.nextInt(100) == 0 ? SLOW_NANOS : USUAL_NANOS;
        return 50_000 + random.nextLong(most);
    }
}
