package dev.leasehold.quarkus.deployment;

/** An argument of a method with a lock. */
public record Order(String id) {}
