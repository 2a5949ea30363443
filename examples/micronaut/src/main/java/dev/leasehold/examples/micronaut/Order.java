package dev.leasehold.examples.micronaut;

/**
 * An order.
 *
 * @param id the id
 */
record Order(String id) {}
