package dev.leasehold.internal.engine;

import dev.leasehold.internal.dispatch.EventDispatcher;
import dev.leasehold.internal.lease.LeaseEvents;
import dev.leasehold.internal.lease.LeaseTable;
import dev.leasehold.internal.lease.LeaseTermination;
import dev.leasehold.internal.lease.LeaseValidity;
import dev.leasehold.internal.lease.TokenFloors;
import dev.leasehold.internal.lock.ThreadHolds;
import dev.leasehold.internal.renew.ChangedKeys;
import dev.leasehold.internal.renew.LeaseExtensions;
import dev.leasehold.internal.renew.RenewalCollector;
import dev.leasehold.internal.renew.RenewalJudge;
import dev.leasehold.internal.renew.Watchdog;
import dev.leasehold.internal.wait.ReaderGroups;
import dev.leasehold.spi.ServerDescription.Capability;

/** The engine's second step: the table of leases, their events, and their renewal. */
final class LeaseAssembly {

    final ThreadHolds holds;
    final LeaseTable leases;
    final LeaseEvents events;
    final LeaseTermination termination;
    final LeaseValidity validity;
    final TokenFloors floors;
    final Watchdog watchdog;
    final ReaderGroups readers;
    final LeaseExtensions extensions;
    private final RenewalJudge judge;

    LeaseAssembly(EngineParts parts, RequestAssembly requests) {
        this.holds = new ThreadHolds(parts.timer());
        this.leases = new LeaseTable(parts.ids(), holds::forget);
        this.events = new LeaseEvents(new EventDispatcher(parts.listeners(), parts.callbacks()), parts.time());
        this.termination = new LeaseTermination(requests.context, requests.sender, leases, events);
        this.validity = new LeaseValidity(requests.context, termination);
        this.floors = new TokenFloors(parts.limits().rememberTokens().toNanos(), parts.timer(), parts.time()::nanoTime);
        this.watchdog = new Watchdog(requests.context, leases, events, termination);
        this.readers = new ReaderGroups(requests.context, requests.sender, floors);
        this.judge = new RenewalJudge(requests.context, termination, events, watchdog, readers::confirmed);
        this.extensions = new LeaseExtensions(requests.context, requests.drivers, validity, judge);
    }

    /**
     * Starts the watchdog, once the engine is complete.
     *
     * @return lets Redis track the keys of leases, if it is known to be able to
     */
    Runnable startRenewal(EngineParts parts, RequestAssembly requests) {
        RenewalCollector renewals = new RenewalCollector(
                requests.context,
                requests.sender,
                requests.replicated,
                requests.slots,
                leases,
                termination,
                judge,
                watchdog);
        watchdog.start(renewals);
        ChangedKeys changes = new ChangedKeys(requests.context, requests.sender, leases, renewals);
        return () -> {
            if (parts.features().include(Capability.TRACKS_KEYS)) {
                parts.store().onInvalidation(changes);
                watchdog.trackKeys();
            }
        };
    }
}
