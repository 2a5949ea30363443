package dev.leasehold.examples.adapter;

import io.vertx.core.Vertx;

/** Event loops for all tests; they end with the JVM. */
final class Loops {

    static final Vertx VERTX = Vertx.vertx();

    private Loops() {}
}
