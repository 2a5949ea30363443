package dev.leasehold.internal.connect;

import dev.leasehold.spi.EventLoops;
import java.util.List;
import java.util.ServiceLoader;
import java.util.function.BooleanSupplier;

/** The event loops that the adapters and integrations on the class path recognise. Safe for use by any thread. */
public final class FoundEventLoops implements BooleanSupplier {

    private final List<EventLoops> known = ServiceLoader.load(EventLoops.class).stream()
            .map(ServiceLoader.Provider::get)
            .toList();

    /** Returns whether the calling thread is one of them. */
    @Override
    public boolean getAsBoolean() {
        for (EventLoops loops : known) {
            if (loops.isOnEventLoop()) {
                return true;
            }
        }
        return false;
    }
}
