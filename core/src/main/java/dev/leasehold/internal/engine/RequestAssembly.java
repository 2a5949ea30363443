package dev.leasehold.internal.engine;

import dev.leasehold.internal.lock.OptionsCheck;
import dev.leasehold.internal.request.BatchSender;
import dev.leasehold.internal.request.CallSender;
import dev.leasehold.internal.request.Drivers;
import dev.leasehold.internal.request.EventLoopGuard;
import dev.leasehold.internal.request.Lifecycle;
import dev.leasehold.internal.request.MultiKeyCalls;
import dev.leasehold.internal.request.ReplicatedSender;
import dev.leasehold.internal.request.RequestContext;
import dev.leasehold.internal.request.StepExecutor;
import dev.leasehold.internal.time.Clocks;

/** The engine's first step: the context of requests, their senders, and the drivers of operations. */
final class RequestAssembly {

    final Lifecycle lifecycle;
    final RequestContext context;
    final BatchSender sender;
    final ReplicatedSender replicated;
    final MultiKeyCalls slots;
    final CallSender calls;
    final StepExecutor steps;
    final Drivers drivers;
    final OptionsCheck options;

    RequestAssembly(EngineParts parts) {
        this.lifecycle = new Lifecycle(parts.time());
        this.context = new RequestContext(
                new Clocks(parts.time()),
                parts.store()::serverTimeAt,
                parts.timer(),
                parts.limits(),
                lifecycle,
                parts.features(),
                parts.jitter());
        this.sender = new BatchSender(parts.store(), parts.time(), parts.timer(), parts.sender());
        this.replicated = new ReplicatedSender(parts.store(), parts.time(), parts.timer(), sender, parts.limits());
        this.slots = new MultiKeyCalls(parts.features());
        this.steps = new StepExecutor(parts.callbacks());
        EventLoopGuard guard = new EventLoopGuard(parts.onEventLoop(), parts.features(), steps);
        this.calls = new CallSender(parts.store(), replicated, guard, parts.time());
        this.drivers = new Drivers(context, calls, steps, guard);
        this.options = new OptionsCheck(parts.limits(), parts.features());
    }
}
