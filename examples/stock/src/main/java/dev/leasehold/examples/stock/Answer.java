package dev.leasehold.examples.stock;

/** What became of an order. */
enum Answer {
    SOLD,
    /** The same order was taken before, by this process or another. */
    REPEATED,
    SOLD_OUT
}
