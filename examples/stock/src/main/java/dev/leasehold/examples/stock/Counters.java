package dev.leasehold.examples.stock;

import dev.leasehold.event.AcquiredEvent;
import dev.leasehold.event.LeaseholdListener;
import dev.leasehold.event.LossEvent;
import dev.leasehold.event.ReleasedEvent;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.stereotype.Component;

/** Counts the actions of this process and the events of its leases. */
@Component
class Counters implements LeaseholdListener {

    private final Map<String, AtomicLong> counts = new ConcurrentHashMap<>();

    void count(String what) {
        counts.computeIfAbsent(what, key -> new AtomicLong()).incrementAndGet();
    }

    Map<String, Long> snapshot() {
        Map<String, Long> copy = new TreeMap<>();
        counts.forEach((what, number) -> copy.put(what, number.get()));
        return copy;
    }

    @Override
    public void acquired(AcquiredEvent event) {
        count("acquired");
    }

    @Override
    public void released(ReleasedEvent event) {
        count("released");
    }

    @Override
    public void lost(LossEvent event) {
        count("lost");
    }
}
