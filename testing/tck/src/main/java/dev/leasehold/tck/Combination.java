package dev.leasehold.tck;

/**
 * A combination under test, as reports name it.
 *
 * @param adapter the adapter
 * @param way how it connects
 * @param topology to what
 */
public record Combination(ContractAdapter adapter, ContractWay way, Topology topology) {

    /** Returns the names of the three. */
    @Override
    public String toString() {
        return adapter.name() + ", " + way.name() + ", " + topology.title();
    }
}
