package dev.leasehold.annotation;

import dev.leasehold.spi.EventLoops;
import reactor.core.scheduler.Schedulers;

/** Recognises the threads that Reactor marks as non-blocking, such as those of its servers and of {@code Schedulers.parallel()}. */
public final class ReactorEventLoops implements EventLoops {

    private final boolean present = ResultTypes.hasReactor();

    /** Called by {@link java.util.ServiceLoader}. */
    public ReactorEventLoops() {}

    @Override
    public boolean isOnEventLoop() {
        return present && Schedulers.isInNonBlockingThread();
    }
}
