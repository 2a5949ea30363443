package dev.leasehold.internal.engine;

import dev.leasehold.internal.foreign.ChannelWaiters;
import dev.leasehold.internal.latch.LatchWaiters;
import dev.leasehold.internal.renew.HandedLeases;
import dev.leasehold.internal.request.RequestContext;
import dev.leasehold.internal.wait.FairWaiters;
import dev.leasehold.internal.wait.LocalHandOff;
import dev.leasehold.internal.wait.LocalQueues;
import dev.leasehold.internal.wait.LocalWaiters;
import dev.leasehold.internal.wait.QueueHeartbeats;
import dev.leasehold.internal.wait.QueuePositions;
import dev.leasehold.internal.wait.QueueUpdates;
import dev.leasehold.internal.wait.ReaderGroups;
import dev.leasehold.internal.wait.ReaderTurns;
import dev.leasehold.internal.wakeup.WakeListener;

/** The engine's third step: the local queues, the hand-off from one lease to the next, and wake-ups. */
final class WaitAssembly {

    final WakeListener wakeUps;
    final LocalHandOff handOff;
    final LocalWaiters waiters;
    final ChannelWaiters channelWaiters;
    final LatchWaiters latchWaiters;

    WaitAssembly(EngineParts parts, RequestAssembly requests, LeaseAssembly leasing) {
        RequestContext context = requests.context;
        this.wakeUps = new WakeListener(parts.store(), parts.wakeChannel());
        ReaderGroups readers = leasing.readers;
        QueuePositions positions = new QueuePositions(context, requests.sender, parts.wakeChannel());
        LocalQueues queues = new LocalQueues();
        QueueUpdates updates = new QueueUpdates(queues, positions, readers);
        HandedLeases handed = new HandedLeases(leasing.leases, leasing.termination, leasing.watchdog);
        this.handOff = new LocalHandOff(
                context,
                queues,
                updates,
                handed,
                readers,
                new ReaderTurns(context, requests.steps, queues, updates, handed, readers));
        this.waiters = new LocalWaiters(
                queues,
                updates,
                handOff,
                handed,
                readers,
                wakeUps,
                new FairWaiters(wakeUps, positions, updates),
                new QueueHeartbeats(context, requests.sender, requests.slots, wakeUps, queues));
        this.channelWaiters = new ChannelWaiters(parts.store(), wakeUps);
        wakeUps.add(waiters);
        leasing.termination.connect(handOff);
        this.latchWaiters = new LatchWaiters(parts.time(), parts.timer());
        wakeUps.add(latchWaiters);
    }
}
