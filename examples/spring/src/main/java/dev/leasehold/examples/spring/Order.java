package dev.leasehold.examples.spring;

/**
 * What is paid for.
 *
 * @param id which order it is
 * @param cents the price
 */
public record Order(String id, int cents) {}
