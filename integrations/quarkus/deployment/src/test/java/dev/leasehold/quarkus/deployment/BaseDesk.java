package dev.leasehold.quarkus.deployment;

import dev.leasehold.Lease;
import dev.leasehold.annotation.CurrentLease;
import dev.leasehold.annotation.Lock;

/** A class whose method with a lock a bean inherits. */
class BaseDesk {

    static String heldNow() {
        Lease lease = CurrentLease.get();
        lease.ensureHeld();
        return lease.name();
    }

    @Lock("inherited")
    String inherited() {
        return heldNow();
    }
}
