package dev.leasehold.console.internal.observe;

import java.util.concurrent.TimeUnit;

/** A sum in which each part loses weight by the factor e a minute. A quotient of two such sums is about the mean of the last minute. */
final class Decaying {

    private static final double TIME_CONSTANT_NANOS = TimeUnit.MINUTES.toNanos(1);

    private double value;
    private long at;

    void add(double part, Moment moment) {
        value = value(moment) + part;
        at = moment.nanos();
    }

    double value(Moment moment) {
        return value == 0 ? 0 : value * Math.exp(-(moment.nanos() - at) / TIME_CONSTANT_NANOS);
    }
}
