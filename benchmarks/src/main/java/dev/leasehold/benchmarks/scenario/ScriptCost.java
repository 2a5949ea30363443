package dev.leasehold.benchmarks.scenario;

import dev.leasehold.benchmarks.measure.ServerStats;
import dev.leasehold.benchmarks.measure.Spread;
import dev.leasehold.benchmarks.subject.BareScriptsSubject;
import dev.leasehold.benchmarks.subject.Grip;
import dev.leasehold.benchmarks.subject.Subject;
import dev.leasehold.testkit.EmbeddedRedis;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The server's cost of each subject's scripts, by its own count: one thread acquires a block of locks, then
 * releases them, in turns with the other subjects. The names stay the same from block to block.
 */
public final class ScriptCost {

    private static final int LOCKS_OF_A_BATCH = 100;

    private final EmbeddedRedis redis;
    private final int blocks;
    private final int names;

    /** Creates it for subjects that use this server: so many blocks of so many names. */
    public ScriptCost(EmbeddedRedis redis, int blocks, int names) {
        this.redis = redis;
        this.blocks = blocks;
        this.names = names;
    }

    /**
     * The time of one script call, with all commands in it, in microseconds.
     *
     * @param pairs the time of an acquire and a release, block by block
     */
    public record Cost(Spread acquire, Spread release, List<Double> pairs) {

        /** Copies the list. */
        public Cost {
            pairs = List.copyOf(pairs);
        }

        /** Returns the time of an acquire and a release. */
        public Spread pair() {
            return Spread.of(pairs, Double::doubleValue);
        }

        /** Returns the ratio of the times of a pair, block by block. */
        public Spread ratio(Cost other) {
            return Spread.ofRatios(pairs, other.pairs, Double::doubleValue);
        }
    }

    /** The time of a renewal for each lock, in microseconds: of one lock in a call, and of a hundred in a call. */
    public record Renewal(Spread single, Spread hundred) {}

    private record RenewalBlock(double single, double hundred) {}

    private record Block(double acquire, double release) {
        double pair() {
            return acquire + release;
        }
    }

    /** Measures all subjects; the first block of each is not counted. */
    public Map<String, Cost> of(List<Subject> subjects) {
        Map<String, List<Block>> measured = new LinkedHashMap<>();
        subjects.forEach(this::block);
        for (int n = 0; n < blocks; n++) {
            for (Subject subject : subjects) {
                measured.computeIfAbsent(subject.name(), name -> new ArrayList<>())
                        .add(block(subject));
            }
        }
        Map<String, Cost> costs = new LinkedHashMap<>();
        measured.forEach((name, list) -> costs.put(
                name,
                new Cost(
                        Spread.of(list, Block::acquire),
                        Spread.of(list, Block::release),
                        list.stream().map(Block::pair).toList())));
        return costs;
    }

    /** Measures the renewals of all subjects, in turns; the first block of each is not counted. */
    public Map<String, Renewal> renewals(List<BareScriptsSubject> subjects) {
        Map<String, List<RenewalBlock>> measured = new LinkedHashMap<>();
        subjects.forEach(this::renewalBlock);
        for (int n = 0; n < blocks; n++) {
            for (BareScriptsSubject subject : subjects) {
                measured.computeIfAbsent(subject.name(), name -> new ArrayList<>())
                        .add(renewalBlock(subject));
            }
        }
        Map<String, Renewal> costs = new LinkedHashMap<>();
        measured.forEach((name, list) -> costs.put(
                name, new Renewal(Spread.of(list, RenewalBlock::single), Spread.of(list, RenewalBlock::hundred))));
        return costs;
    }

    private RenewalBlock renewalBlock(BareScriptsSubject subject) {
        List<Grip> grips = grips(subject);
        acquire(subject, grips);
        ServerStats before = ServerStats.now(redis);
        grips.forEach(grip -> subject.renew(List.of(grip)));
        ServerStats between = ServerStats.now(redis);
        for (int from = 0; from + LOCKS_OF_A_BATCH <= names; from += LOCKS_OF_A_BATCH) {
            subject.renew(grips.subList(from, from + LOCKS_OF_A_BATCH));
        }
        ServerStats after = ServerStats.now(redis);
        grips.forEach(Grip::release);
        return new RenewalBlock(
                between.since(before).scripts().each(),
                after.since(between).scripts().each() / LOCKS_OF_A_BATCH);
    }

    private List<Grip> grips(Subject subject) {
        return IntStream.range(0, names)
                .mapToObj(n -> subject.grip("script-cost-" + n))
                .toList();
    }

    private static void acquire(Subject subject, List<Grip> grips) {
        for (Grip grip : grips) {
            Probe.demand(grip.tryAcquire(), subject.name() + ": the lock should have been free");
        }
    }

    private Block block(Subject subject) {
        List<Grip> grips = grips(subject);
        ServerStats before = ServerStats.now(redis);
        acquire(subject, grips);
        ServerStats between = ServerStats.now(redis);
        grips.forEach(Grip::release);
        ServerStats after = ServerStats.now(redis);
        return new Block(
                between.since(before).scripts().each(),
                after.since(between).scripts().each());
    }
}
