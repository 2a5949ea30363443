package dev.leasehold.simulation;

import java.util.ArrayList;
import java.util.List;

/**
 * All decisions of one simulation that can be removed to find a shorter history: the actions, and the faults.
 * Everything random (latencies, jitter) depends on the seed, separately for each client.
 *
 * @param setup its world
 * @param workers the acquisitions of each worker, in order
 * @param extras the other actions of clients
 * @param heals the end of all faults
 * @param ends the end of the simulation
 */
record Plan(
        long seed, Setup setup, List<Worker> workers, List<Extra> extras, List<Fault> faults, long heals, long ends) {

    /** The acquisitions of one worker of a client. */
    record Worker(int client, List<Op> ops) {}

    Plan withFaults(List<Fault> some) {
        return new Plan(seed, setup, workers, extras, some, heals, ends);
    }

    Plan withExtras(List<Extra> some) {
        return new Plan(seed, setup, workers, some, faults, heals, ends);
    }

    Plan withWorkers(List<Worker> some) {
        return new Plan(seed, setup, some, extras, faults, heals, ends);
    }

    Plan endingAt(long time) {
        long end = Math.min(ends, time);
        return new Plan(seed, setup, workers, extras, faults, Math.min(heals, end), end);
    }

    /** Returns when a worker that is ready now begins with this acquisition: where calls are combined, with others. */
    long beginsAt(Op op, long now) {
        long at = Math.max(op.notBefore(), now);
        return setup.combines() ? at - at % PlanMaker.TOGETHER + PlanMaker.TOGETHER : at;
    }

    int operations() {
        return workers.stream().mapToInt(worker -> worker.ops().size()).sum();
    }

    /** Returns the plan with the operations of one worker replaced by these. */
    Plan withOps(int worker, List<Op> ops) {
        List<Worker> changed = new ArrayList<>(workers);
        changed.set(worker, new Worker(workers.get(worker).client(), ops));
        return withWorkers(changed);
    }
}
