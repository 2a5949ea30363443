package dev.leasehold.examples.spring;

/**
 * An order to be paid.
 *
 * @param id the id of the order
 * @param cents the price
 */
public record Order(String id, int cents) {}
