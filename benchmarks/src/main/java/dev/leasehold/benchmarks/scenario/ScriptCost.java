package dev.leasehold.benchmarks.scenario;

import dev.leasehold.benchmarks.measure.ServerStats;
import dev.leasehold.benchmarks.measure.Spread;
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

    private final EmbeddedRedis redis;
    private final int blocks;
    private final int names;

    /** Creates it for subjects that use this server: so many blocks of so many names. */
    public ScriptCost(EmbeddedRedis redis, int blocks, int names) {
        this.redis = redis;
        this.blocks = blocks;
        this.names = names;
    }

    /** The time of one script call, with all commands in it, in microseconds. */
    public record Cost(Spread acquire, Spread release, Spread pair) {}

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
                        Spread.of(list, Block::pair))));
        return costs;
    }

    private Block block(Subject subject) {
        List<Grip> grips = IntStream.range(0, names)
                .mapToObj(n -> subject.grip("script-cost-" + n))
                .toList();
        ServerStats before = ServerStats.now(redis);
        for (Grip grip : grips) {
            Probe.demand(grip.tryAcquire(), subject.name() + ": the lock should have been free");
        }
        ServerStats between = ServerStats.now(redis);
        grips.forEach(Grip::release);
        ServerStats after = ServerStats.now(redis);
        return new Block(
                between.since(before).scripts().each(),
                after.since(between).scripts().each());
    }
}
