package dev.leasehold.benchmarks;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** The scenarios, by the words of the command line. */
final class Scenarios {

    static final String UNCONTENDED = "uncontended";
    static final String SEMAPHORE = "semaphore";
    static final String JEDIS = "jedis";
    static final String QUORUM = "quorum";
    static final String SCRIPTS = "scripts";
    static final String SCALE = "scale";
    static final String LOSS = "loss";
    static final String DEADLOCK = "deadlock";
    static final String SHARED = "shared";
    static final String CONNECT = "connect";
    static final String CLUSTER_OUTAGE = "cluster-outage";

    /** Not measured: drawn from stored reports, after all that is measured. */
    static final String PLOT = "plot";

    private Scenarios() {}

    /** Returns all but the time to connect and the plot. */
    static List<String> usual() {
        return Stream.of(
                        Stream.of(UNCONTENDED, SEMAPHORE, JEDIS, QUORUM, SCRIPTS, SCALE),
                        situations().keySet().stream(),
                        Stream.of(LOSS, DEADLOCK, SHARED, CLUSTER_OUTAGE))
                .flatMap(words -> words)
                .toList();
    }

    /** Returns the same words in the order in which they are measured. */
    static List<String> inOrder(Set<String> words) {
        return Stream.concat(usual().stream(), Stream.of(CONNECT, PLOT))
                .filter(words::contains)
                .toList();
    }

    /**
     * Returns the scenarios that a word stands for: itself, or a group.
     *
     * @throws IllegalArgumentException if there is none
     */
    static Set<String> named(String word) {
        return switch (word) {
            case "all" -> Set.copyOf(usual());
            case "contended" -> Set.of(Situation.ONE_JVM.word(), Situation.FOUR_JVMS.word(), Situation.HAND_OFF.word());
            case "read-write" ->
                Set.of(
                        Situation.READ_WRITE_0.word(),
                        Situation.READ_WRITE_10.word(),
                        Situation.READ_WRITE_50.word(),
                        Situation.READ_WRITE_FOUR_JVMS.word());
            case "waiters" ->
                Set.of(
                        Situation.WAITERS_10_NAMES.word(),
                        Situation.WAITERS_1000_NAMES.word(),
                        Situation.WAITERS_60_JVMS.word());
            default -> {
                if (!word.equals(CONNECT) && !word.equals(PLOT) && !usual().contains(word)) {
                    throw new IllegalArgumentException("there is no scenario " + word);
                }
                yield Set.of(word);
            }
        };
    }

    static Map<String, Situation> situations() {
        Map<String, Situation> words = new LinkedHashMap<>();
        Arrays.stream(Situation.values()).forEach(situation -> words.put(situation.word(), situation));
        return words;
    }
}
