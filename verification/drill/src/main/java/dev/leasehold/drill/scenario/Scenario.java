package dev.leasehold.drill.scenario;

import dev.leasehold.drill.judge.Expectation;
import dev.leasehold.drill.site.Site;

/**
 * A fault, and what operators and callers should see of it.
 *
 * @param name as the command line takes it
 * @param what the fault, as a sentence
 * @param why the expectation is what it is
 * @param expectation of what is seen
 * @param fault strikes, and heals at its end
 */
public record Scenario(String name, String what, String why, Expectation expectation, Fault fault) {

    /** Strikes a site. */
    @FunctionalInterface
    public interface Fault {

        /**
         * Strikes, and heals what does not heal by itself.
         *
         * @param site under load
         * @throws Exception if it cannot
         */
        void strike(Site site) throws Exception;
    }
}
