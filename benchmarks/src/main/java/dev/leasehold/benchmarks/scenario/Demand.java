package dev.leasehold.benchmarks.scenario;

import dev.leasehold.benchmarks.IncorrectException;
import dev.leasehold.benchmarks.subject.Contestant;

/** Requirements for Leasehold's own locks; a peer's failure to meet them is only reported. */
final class Demand {

    private Demand() {}

    /**
     * Fails the run if the contestant is Leasehold's and does not meet the requirement.
     *
     * @throws IncorrectException with this text
     */
    static void ofLeasehold(Contestant contestant, boolean did, String otherwise) {
        if (contestant.ours() && !did) {
            throw new IncorrectException(contestant.title() + ": " + otherwise);
        }
    }
}
