package dev.leasehold.internal.engine;

import dev.leasehold.internal.acquire.AcquireServices;
import dev.leasehold.internal.acquire.Acquisitions;
import dev.leasehold.internal.acquire.RecentContention;
import dev.leasehold.internal.inspection.Inspection;
import dev.leasehold.internal.lock.CallSites;
import dev.leasehold.internal.lock.LeaseExports;
import dev.leasehold.internal.lock.LeaseHandles;
import dev.leasehold.internal.lock.LeaseResumption;
import dev.leasehold.internal.lock.LockServices;
import dev.leasehold.internal.release.ForcedReleases;
import dev.leasehold.internal.release.Releases;
import dev.leasehold.internal.release.Revocations;
import dev.leasehold.internal.request.RequestContext;
import dev.leasehold.internal.retain.RetainedLocks;

/** The engine's fourth step: acquisitions, releases, and the views of locks and leases that callers see. */
final class LockAssembly {

    final Acquisitions acquisitions;
    final LeaseExports exports;
    final Inspection inspection;
    final LockServices locks;
    final LeaseResumption resumption;
    final RetainedLocks retained;
    final Revocations revocations;

    LockAssembly(EngineParts parts, RequestAssembly requests, LeaseAssembly leasing, WaitAssembly waiting) {
        RequestContext context = requests.context;
        this.acquisitions = acquisitions(parts, requests, leasing, waiting);
        this.retained = new RetainedLocks(
                context,
                requests.sender,
                leasing.leases,
                leasing.events,
                leasing.termination,
                leasing.floors,
                leasing.watchdog,
                waiting.handOff,
                waiting.wakeUps);
        Releases releases = releases(context, parts.process(), leasing, waiting, retained);
        this.revocations = new Revocations(context, requests.drivers, leasing.leases, leasing.termination, retained);
        this.exports = new LeaseExports(
                leasing.leases, leasing.events, leasing.validity, waiting.handOff, retained, leasing.extensions);
        LeaseHandles handles = new LeaseHandles(
                requests.drivers, releases, leasing.events, leasing.validity, leasing.extensions, exports);
        this.inspection = new Inspection(context, requests.calls, requests.slots);
        CallSites callSites = new CallSites(context.clocks().time());
        this.locks = new LockServices(
                context,
                requests.options,
                requests.drivers,
                acquisitions,
                releases,
                retained,
                handles,
                inspection,
                new ForcedReleases(context, requests.drivers, leasing.leases, leasing.termination, retained),
                leasing.leases,
                leasing.events,
                leasing.validity,
                leasing.extensions,
                leasing.holds,
                callSites);
        this.resumption = new LeaseResumption(
                context, requests.options, requests.drivers, acquisitions, handles, leasing.leases, callSites);
    }

    private static Acquisitions acquisitions(
            EngineParts parts, RequestAssembly requests, LeaseAssembly leasing, WaitAssembly waiting) {
        AcquireServices services = new AcquireServices(
                requests.context,
                parts.process(),
                leasing.leases,
                leasing.events,
                leasing.termination,
                leasing.floors,
                new RecentContention(parts.timer(), parts.time()::nanoTime),
                leasing.watchdog,
                waiting.waiters,
                waiting.channelWaiters,
                leasing.readers);
        return new Acquisitions(services, leasing.validity, requests.slots);
    }

    private static Releases releases(
            RequestContext context,
            String process,
            LeaseAssembly leasing,
            WaitAssembly waiting,
            RetainedLocks retained) {
        return new Releases(
                context,
                process,
                leasing.leases,
                leasing.events,
                leasing.termination,
                leasing.validity,
                leasing.floors,
                leasing.watchdog,
                waiting.handOff,
                leasing.readers,
                retained);
    }
}
