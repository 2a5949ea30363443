package dev.leasehold.cli.internal.run;

import dev.leasehold.event.LeaseholdListener;
import dev.leasehold.event.ReleasedEvent;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Listens for whether Redis confirmed the release, which {@code release()} does not return. Thread-safe. */
final class ReleaseNotice implements LeaseholdListener {

    private static final long LIMIT_MILLIS = 500;

    private final CountDownLatch received = new CountDownLatch(1);
    private volatile boolean confirmed = true;

    @Override
    public void released(ReleasedEvent event) {
        confirmed = event.confirmed();
        received.countDown();
    }

    /** Returns false if the release was reported as unconfirmed within a moment after it. */
    boolean confirmed() throws InterruptedException {
        return !received.await(LIMIT_MILLIS, TimeUnit.MILLISECONDS) || confirmed;
    }
}
