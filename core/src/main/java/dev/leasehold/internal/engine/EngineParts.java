package dev.leasehold.internal.engine;

import dev.leasehold.event.LeaseholdListener;
import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.request.Limits;
import dev.leasehold.internal.request.ServerFeatures;
import dev.leasehold.internal.store.LockStore;
import dev.leasehold.internal.wakeup.WakeChannel;
import dev.leasehold.spi.TimeSource;
import dev.leasehold.spi.Timer;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;

/**
 * The collaborators that the engine receives from outside, so that it runs the same on a real Redis and in virtual time.
 *
 * @param store keeps the locks
 * @param time the clocks
 * @param timer the timing wheel
 * @param sender runs the batch sender, for renewals and compensations; one thread
 * @param callbacks runs listeners and the steps of asynchronous acquisitions; may block
 * @param ids the source of acquisition ids
 * @param jitter random numbers from 0 to 1
 * @param listeners receive events
 * @param process pid@host
 * @param wakeChannel the channel of this client's wake-ups
 * @param features what the transport and the server can do
 * @param limits timeouts and maxima
 * @param onEventLoop whether the calling thread must not block
 */
public record EngineParts(
        LockStore store,
        TimeSource time,
        Timer timer,
        Executor sender,
        Executor callbacks,
        Supplier<AcquisitionId> ids,
        DoubleSupplier jitter,
        List<LeaseholdListener> listeners,
        String process,
        WakeChannel wakeChannel,
        ServerFeatures features,
        Limits limits,
        BooleanSupplier onEventLoop) {}
