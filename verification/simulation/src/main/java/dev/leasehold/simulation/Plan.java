package dev.leasehold.simulation;

import java.util.ArrayList;
import java.util.List;

/**
 * All decisions of one simulation that can be left out when a shorter history is sought: who does what, and what goes
 * wrong. What remains to chance (latencies, jitter) follows from the seed, apart for each client.
 *
 * @param clients how many clients there are
 * @param locks how many names
 * @param answersAtOnce whether the transport answers within the call, as a blocking client does
 * @param atMostOnce whether the transport says that it never sends twice
 * @param retentionMillis how long keys outlive their use
 * @param workers what each worker does, in turn
 * @param heals when all faults are over
 * @param ends when the simulation is over
 */
record Plan(
        long seed,
        int clients,
        int locks,
        boolean answersAtOnce,
        boolean atMostOnce,
        long retentionMillis,
        List<Worker> workers,
        List<Fault> faults,
        long heals,
        long ends) {

    private static final long FAIR_SEEDS = 3;
    private static final String FAIR_LOCK = "lock-0";

    /** The acquisitions of one worker of a client. */
    record Worker(int client, List<Op> ops) {}

    Plan withFaults(List<Fault> some) {
        return new Plan(seed, clients, locks, answersAtOnce, atMostOnce, retentionMillis, workers, some, heals, ends);
    }

    Plan withWorkers(List<Worker> some) {
        return new Plan(seed, clients, locks, answersAtOnce, atMostOnce, retentionMillis, some, faults, heals, ends);
    }

    Plan endingAt(long time) {
        long end = Math.min(ends, time);
        return new Plan(
                seed,
                clients,
                locks,
                answersAtOnce,
                atMostOnce,
                retentionMillis,
                workers,
                faults,
                Math.min(heals, end),
                end);
    }

    /** Whether those who wait for wake-ups take this lock fairly. */
    boolean isFair(String lock) {
        return seed % FAIR_SEEDS == 0 && lock.equals(FAIR_LOCK);
    }

    int operations() {
        return workers.stream().mapToInt(worker -> worker.ops().size()).sum();
    }

    /** The plan with the operations of one worker replaced by nothing but these. */
    Plan withOps(int worker, List<Op> ops) {
        List<Worker> changed = new ArrayList<>(workers);
        changed.set(worker, new Worker(workers.get(worker).client(), ops));
        return withWorkers(changed);
    }
}
