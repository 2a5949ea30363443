package dev.leasehold.benchmarks.scenario;

import dev.leasehold.benchmarks.IncorrectException;
import dev.leasehold.benchmarks.subject.Contestant;

/** What this project's own locks must do, while of a peer it is told in the report that it did not. */
final class Demand {

    private Demand() {}

    /**
     * Fails the run if it is one of ours and did not.
     *
     * @throws IncorrectException with this text
     */
    static void ofOurs(Contestant contestant, boolean did, String otherwise) {
        if (contestant.ours() && !did) {
            throw new IncorrectException(contestant.title() + ": " + otherwise);
        }
    }
}
