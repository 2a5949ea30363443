package dev.leasehold.places;

import java.util.List;
import java.util.function.Supplier;

/** A place outside of the engine from which leases are taken; other numbers are put into copies of the compiled class. */
public final class Place0000 implements Supplier<String> {

    private final Supplier<String> here;

    /** A place that shows itself by this. */
    public Place0000(Supplier<String> here) {
        this.here = here;
    }

    @Override
    public String get() {
        return here.get();
    }

    /** Two methods of one name, which call at the same index of their code. */
    public static String take(Supplier<String> here) {
        return here.get();
    }

    /** The other one. */
    public static String take(Supplier<String> here, int ignored) {
        return here.get();
    }

    /** A call from a lambda. */
    public static String takeInLambda(Supplier<String> here) {
        Supplier<String> lambda = () -> here.get();
        return lambda.get();
    }

    /** Two calls. */
    public static List<String> takeTwice(Supplier<String> here) {
        String first = here.get();
        return List.of(first, here.get());
    }
}
