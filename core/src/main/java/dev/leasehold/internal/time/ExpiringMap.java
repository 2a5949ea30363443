package dev.leasehold.internal.time;

import dev.leasehold.spi.Timer;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BinaryOperator;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A map whose values are of no use any more after some time. They are removed within ten seconds, also if nobody uses the map
 * meanwhile: a part of it is swept each second, on the timer's thread, until it is empty. Safe for use by any thread.
 *
 * @param <K> the keys
 * @param <V> the values, which differ if their times do
 */
public final class ExpiringMap<K, V> {

    private static final long INTERVAL_NANOS = 1_000_000_000;

    /** The whole map is swept in so many intervals, and a small one in a single one. */
    private static final int PARTS = 8;

    private static final int SMALL = 1024;

    private final Timer timer;
    private final LongSupplier now;
    private final ToLongFunction<V> until;
    private final Map<K, V> map = new ConcurrentHashMap<>();
    private final AtomicBoolean swept = new AtomicBoolean();

    /** Used by the timer's thread only. */
    private Iterator<Map.Entry<K, V>> position = map.entrySet().iterator();

    /**
     * An empty map.
     *
     * @param now the monotonic clock
     * @param until until when a value is of use, in ns on that clock
     */
    public ExpiringMap(Timer timer, LongSupplier now, ToLongFunction<V> until) {
        this.timer = timer;
        this.now = now;
        this.until = until;
    }

    /** Returns a value, which may have expired; null if there is none. */
    @Nullable
    public V get(K key) {
        return map.get(key);
    }

    /** Puts a value in the place of an earlier one. */
    public void put(K key, V value) {
        map.put(key, value);
        sweepLater();
    }

    /** Puts a value, or what is made of the earlier one and this one. */
    public void merge(K key, V value, BinaryOperator<V> both) {
        map.merge(key, value, both);
        sweepLater();
    }

    public int size() {
        return map.size();
    }

    private void sweepLater() {
        if (!swept.get() && swept.compareAndSet(false, true)) {
            try {
                schedule();
            } catch (RuntimeException | Error e) {
                swept.set(false);
                throw e;
            }
        }
    }

    private void schedule() {
        Timer.Timeout unused = timer.schedule(this::sweep, INTERVAL_NANOS);
    }

    private void sweep() {
        long moment = now.getAsLong();
        int most = Math.max(SMALL, map.size() / PARTS);
        for (int n = 0; n < most && position.hasNext(); n++) {
            Map.Entry<K, V> entry = position.next();
            if (moment - until.applyAsLong(entry.getValue()) >= 0) {
                // Unless it was replaced meanwhile.
                map.remove(entry.getKey(), entry.getValue());
            }
        }
        if (!position.hasNext()) {
            position = map.entrySet().iterator();
        }
        if (!map.isEmpty()) {
            schedule();
            return;
        }
        swept.set(false);
        if (!map.isEmpty()) {
            // A value was put before this map was known not to be swept.
            sweepLater();
        }
    }
}
