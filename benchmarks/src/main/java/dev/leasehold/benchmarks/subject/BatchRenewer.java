package dev.leasehold.benchmarks.subject;

import java.util.List;

/** A subject that renews several of its locks by one script call. */
public interface BatchRenewer extends Subject {

    /**
     * Renews these locks, which it holds, by one call.
     *
     * @throws IllegalStateException if one of them was not renewed
     */
    void renew(List<Grip> grips);
}
