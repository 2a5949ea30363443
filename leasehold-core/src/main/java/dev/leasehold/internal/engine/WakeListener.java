package dev.leasehold.internal.engine;

import dev.leasehold.internal.key.LockKey;
import dev.leasehold.spi.ChannelListener;
import dev.leasehold.spi.RedisErrorException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hears the wake-ups of this client, over one channel for all locks. A wake-up is a hint to look, never a grant: it may be
 * lost, late or for nobody.
 */
final class WakeListener implements ChannelListener {

    private static final Logger LOG = LoggerFactory.getLogger(WakeListener.class);

    private final Engine engine;
    private final Woken woken;
    private final WakeChannel channel;
    private final AtomicBoolean subscribing = new AtomicBoolean();
    private volatile boolean hears;

    /** Who is woken. */
    interface Woken {

        /** The lock may be free, and it is the turn of this place. */
        void woken(long place, LockKey key);

        /** Wake-ups may have been lost: whoever is first looks. */
        void lookAll();
    }

    WakeListener(Engine engine, Woken woken) {
        this.engine = engine;
        this.woken = woken;
        this.channel = engine.parts.wakeChannel();
    }

    /** Whether wake-ups are heard; tries to, if not. */
    boolean hears() {
        if (subscribing.compareAndSet(false, true)) {
            try {
                engine.transport.subscribe(channel.name(), this).whenComplete((subscription, failure) -> {
                    if (failure == null) {
                        heard();
                    } else {
                        notHeard(failure);
                    }
                });
            } catch (RuntimeException e) {
                notHeard(e);
            }
        }
        return hears;
    }

    /** From here on nothing is missed; what was published before may be lost. */
    private void heard() {
        hears = true;
        woken.lookAll();
    }

    private void notHeard(Throwable failure) {
        RuntimeException reason = RequestFailures.unwrap(failure);
        if (reason instanceof RedisErrorException) {
            LOG.warn(
                    "Redis refuses wake-ups to this client, whose waiters ask from time to time instead. Grant the user"
                            + " +subscribe and the channels that docs/operations.md lists: {}",
                    LockMessages.reason(reason));
        } else {
            LOG.debug("wake-ups cannot be heard now; waiters ask from time to time: {}", LockMessages.reason(reason));
            subscribing.set(false);
        }
    }

    @Override
    public void message(String message) {
        WakeChannel.WakeMessage wakeUp = channel.read(message);
        if (wakeUp == null) {
            LOG.debug("something else than a wake-up came over the channel of wake-ups");
        } else {
            woken.woken(wakeUp.place(), wakeUp.key());
        }
    }

    @Override
    public void resubscribed() {
        woken.lookAll();
    }
}
