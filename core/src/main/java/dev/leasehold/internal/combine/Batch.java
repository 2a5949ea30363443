package dev.leasehold.internal.combine;

import dev.leasehold.internal.script.CombinedScript;
import dev.leasehold.internal.store.AcquireFreeLock;
import dev.leasehold.internal.store.LockRequest;
import dev.leasehold.internal.store.ReleaseHold;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** The requests that leave together: no two about the same lock, so that their order is of no consequence. */
final class Batch {

    /** More would keep other clients of the server waiting: an entry takes it about 5 us. */
    static final int MOST_ENTRIES = 64;

    /** Names may be long: so many characters of keys, or little more, leave together. */
    static final int MOST_CHARACTERS = 16_000;

    private final List<QueuedRequest<?>> acquiring = new ArrayList<>();
    private final List<QueuedRequest<?>> releasing = new ArrayList<>();
    private final List<AcquireFreeLock> acquisitions = new ArrayList<>();
    private final List<ReleaseHold> releases = new ArrayList<>();
    private final Set<String> keys = new HashSet<>();
    private int characters;
    private long longest;

    /** Adds a request, or returns false if it has to leave with the next batch. */
    boolean add(QueuedRequest<?> queued, long left) {
        LockRequest<?> request = queued.request();
        String key = request.key().key();
        if (size() == MOST_ENTRIES || characters >= MOST_CHARACTERS || !keys.add(key)) {
            return false;
        }
        if (request instanceof AcquireFreeLock acquisition) {
            acquisitions.add(acquisition);
            acquiring.add(queued);
        } else if (request instanceof ReleaseHold release) {
            releases.add(release);
            releasing.add(queued);
        } else {
            throw new IllegalArgumentException("no script combines the request to " + request.inWords());
        }
        characters += key.length();
        longest = Math.max(longest, left);
        return true;
    }

    int size() {
        return acquiring.size() + releasing.size();
    }

    /** Returns the longest time that one of the callers still waits, in ns. */
    long longest() {
        return longest;
    }

    List<QueuedRequest<?>> entries() {
        List<QueuedRequest<?>> all = new ArrayList<>(acquiring);
        all.addAll(releasing);
        return all;
    }

    CombinedScript.Request request() {
        return new CombinedScript.Request(acquisitions, releases, longest);
    }

    /**
     * Hands out the answers.
     *
     * @param alone receives what is to be sent alone
     */
    void answered(CombinedScript.Answer answer, Consumer<QueuedRequest<?>> alone) {
        for (int n = 0; n < acquiring.size(); n++) {
            acquiring.get(n).answered(answer.acquired().get(n));
        }
        for (int n = 0; n < releasing.size(); n++) {
            QueuedRequest<?> queued = releasing.get(n);
            answer.released().get(n).ifPresentOrElse(queued::answered, () -> alone.accept(queued));
        }
    }
}
