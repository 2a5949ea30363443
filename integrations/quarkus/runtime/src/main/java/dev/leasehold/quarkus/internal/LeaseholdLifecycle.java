package dev.leasehold.quarkus.internal;

import dev.leasehold.Leasehold;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

/** Connects when the application starts, so that a wrong setting fails the start and not the first call. */
@Singleton
public final class LeaseholdLifecycle {

    LeaseholdLifecycle() {}

    void start(@Observes StartupEvent event, Leasehold leasehold) {}
}
