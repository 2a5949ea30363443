package dev.leasehold.internal.waitgraph;

import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.store.InspectLock;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a look at the waits asks and reads, one after another: each answer belongs to a moment of its own. */
interface WaitSource {

    /**
     * Asks processes, given as pid@host.
     *
     * @param threads for each process the threads whose stacks are wanted
     * @return the reports of each process that answered, or where nobody has ever waited: one of each client of which somebody has
     */
    Map<String, List<WaitReport>> ask(Collection<String> processes, Map<String, Set<Long>> threads);

    /** Returns the states of these locks, without those whose keys hold something else. */
    Map<LockKey, InspectLock.State> read(Collection<LockKey> keys);
}
