package dev.leasehold.internal.script;

import dev.leasehold.internal.store.LeaseSpan;
import dev.leasehold.internal.store.ServerTime;
import dev.leasehold.internal.store.TokenFloor;

/** The values of requests as scripts expect them in ARGV: times in whole microseconds. */
final class Arg {

    private static final long NANOS_PER_MICRO = 1000;

    private Arg() {}

    static String of(LeaseSpan span) {
        return Long.toString(span.nanos() / NANOS_PER_MICRO);
    }

    static String of(ServerTime time) {
        return of(time.micros());
    }

    static String of(TokenFloor floor) {
        return of(floor.token());
    }

    /** Returns the text of a number, which is 0 in most requests. */
    private static String of(long number) {
        return number == 0 ? "0" : Long.toString(number);
    }

    static String of(boolean flag) {
        return flag ? "1" : "0";
    }
}
