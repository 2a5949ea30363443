package dev.leasehold.examples.stock;

/** The result of an order. */
enum Answer {
    SOLD,
    /** The same order was accepted before, by this process or another. */
    REPEATED,
    SOLD_OUT
}
