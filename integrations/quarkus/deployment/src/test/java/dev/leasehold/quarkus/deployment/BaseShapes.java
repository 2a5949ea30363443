package dev.leasehold.quarkus.deployment;

import dev.leasehold.annotation.Lock;

/** A class with a type parameter, whose methods with a lock a bean inherits or overrides. */
class BaseShapes<T> implements ApplicationIT.HasDefault {

    @Lock("generic:#{#what}")
    String generic(T what) {
        return BaseDesk.heldNow();
    }

    @Lock("wide")
    CharSequence narrowed() {
        return BaseDesk.heldNow();
    }

    @Lock("erased")
    String taken(T what) {
        return BaseDesk.heldNow();
    }

    @Override
    public String get() {
        return "overridden";
    }
}
