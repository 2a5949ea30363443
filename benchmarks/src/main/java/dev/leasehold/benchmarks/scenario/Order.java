package dev.leasehold.benchmarks.scenario;

import dev.leasehold.benchmarks.process.Message;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** In which order waiters of all JVMs came into each lock. */
final class Order {

    /** For each lock, by the number of the entry: the wave. */
    private final Map<Long, TreeMap<Long, Long>> waves = new TreeMap<>();

    /** From answers whose {@code order} has three numbers for each waiter: the lock, the entry, the wave. */
    Order(List<Message> answers) {
        for (Message answer : answers) {
            long[] numbers = answer.numbers("order");
            for (int n = 0; n < numbers.length; n += 3) {
                waves.computeIfAbsent(numbers[n], lock -> new TreeMap<>()).put(numbers[n + 1], numbers[n + 2]);
            }
        }
    }

    /** How many came in after one of a later wave. */
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
