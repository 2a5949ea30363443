package dev.leasehold.architecture.planted.publicclassesarefinal;

import dev.leasehold.architecture.planted.internal.Plays;

@Plays(module = "leasehold-lettuce")
public final class Abides {
    public interface Face {}

    public enum Kind {
        PLAIN
    }

    public abstract static sealed class Shape permits Round {}

    static final class Round extends Shape {}

    public static class Refused extends RuntimeException {}

    static class Hidden {}
}
