package dev.leasehold.cli.internal.run;

import dev.leasehold.event.LeaseholdListener;
import dev.leasehold.event.ReleasedEvent;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Hears whether Redis confirmed the release; the release itself does not tell. Thread-safe. */
final class ReleaseNotice implements LeaseholdListener {

    private static final long PATIENCE_MILLIS = 500;

    private final CountDownLatch heard = new CountDownLatch(1);
    private volatile boolean confirmed = true;

    @Override
    public void released(ReleasedEvent event) {
        confirmed = event.confirmed();
        heard.countDown();
    }

    /** Whether nothing speaks against it, a moment after the release. */
    boolean confirmed() throws InterruptedException {
        return !heard.await(PATIENCE_MILLIS, TimeUnit.MILLISECONDS) || confirmed;
    }
}
