package dev.leasehold.internal.dispatch;

import dev.leasehold.event.AcquiredEvent;
import dev.leasehold.event.ExportedEvent;
import dev.leasehold.event.LossEvent;
import dev.leasehold.event.ReleasedEvent;

/** An observer of one lease from its grant to its end, in addition to the listeners. */
public interface LeaseObserver {

    void acquired(AcquiredEvent event);

    void released(ReleasedEvent event);

    void lost(LossEvent event);

    void exported(ExportedEvent event);
}
