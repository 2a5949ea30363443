package dev.leasehold.examples.micronaut;

/** Moves the money, and must not be called for one order by two at a time. */
interface Bank {

    /**
     * Pays an order.
     *
     * @param order the order
     * @param token the fencing token of the caller
     */
    void transfer(Order order, long token);
}
