package dev.leasehold.benchmarks.scenario;

import dev.leasehold.benchmarks.process.Message;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The order in which waiters of all JVMs acquired each lock. */
final class Order {

    /** For each lock, the wave by the number of the entry. */
    private final Map<Long, TreeMap<Long, Long>> waves = new TreeMap<>();

    /** Reads answers whose {@code order} has three numbers for each waiter: the lock, the entry, the wave. */
    Order(List<Message> answers) {
        for (Message answer : answers) {
            long[] numbers = answer.numbers("order");
            for (int n = 0; n < numbers.length; n += 3) {
                waves.computeIfAbsent(numbers[n], lock -> new TreeMap<>()).put(numbers[n + 1], numbers[n + 2]);
            }
        }
    }

    /** Returns the number of waiters that were served after one of a later wave. */
    long inversions() {
        return waves.values().stream()
                .mapToLong(lock -> inversions(lock.values()))
                .sum();
    }

    private static long inversions(Collection<Long> inOrder) {
        long latest = Long.MIN_VALUE;
        long late = 0;
        for (long wave : new ArrayList<>(inOrder)) {
            if (wave < latest) {
                late++;
            }
            latest = Math.max(latest, wave);
        }
        return late;
    }
}
