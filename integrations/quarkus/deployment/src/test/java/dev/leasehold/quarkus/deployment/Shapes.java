package dev.leasehold.quarkus.deployment;

import dev.leasehold.annotation.Lock;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.function.Supplier;

/**
 * Methods with a lock for which the compiler adds a second one with the erased or wider signature, methods that override one with a
 * lock, and calls of them by {@code this}.
 */
@ApplicationScoped
class Shapes extends BaseShapes<String> implements Supplier<String> {

    @Override
    @Lock("get")
    public String get() {
        return BaseDesk.heldNow();
    }

    @Override
    @Lock("narrow")
    String narrowed() {
        return BaseDesk.heldNow();
    }

    @Override
    @Lock("taken:#{#what}")
    String taken(String what) {
        return BaseDesk.heldNow();
    }

    String byThis() {
        return get();
    }

    String inLambda() {
        Supplier<String> call = () -> get();
        return call.get();
    }

    String byReference() {
        Supplier<String> call = this::narrowed;
        return call.get();
    }

    String inInnerClass() {
        return new Object() {
            String call() {
                return get();
            }
        }.call();
    }
}
