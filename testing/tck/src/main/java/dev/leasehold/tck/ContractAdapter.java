package dev.leasehold.tck;

import java.util.List;

/**
 * An adapter under test. A module that tests an adapter has one, which contracts find by {@link java.util.ServiceLoader}, and lets
 * its test runner scan the jar of the contracts.
 */
public interface ContractAdapter {

    /**
     * Returns its name in reports.
     *
     * @return a word or two, such as "Lettuce"
     */
    String name();

    /**
     * Returns the ways in which it connects.
     *
     * @return the first is that of URIs
     */
    List<ContractWay> ways();
}
