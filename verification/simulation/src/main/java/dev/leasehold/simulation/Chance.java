package dev.leasehold.simulation;

import java.util.random.RandomGenerator;

/**
 * Random numbers that depend on the seed, a purpose and the present moment, not on how many were drawn before.
 * Removing a part of a plan therefore does not change events elsewhere at other times, and a history can be shrunk.
 */
final class Chance implements RandomGenerator {

    private final World world;
    private final long salt;
    private long moment = -1;
    private long drawn;

    Chance(World world, long seed, long purpose) {
        this.world = world;
        this.salt = mix(mix(seed) + purpose);
    }

    @Override
    public long nextLong() {
        if (world.now() != moment) {
            moment = world.now();
            drawn = 0;
        }
        return mix(salt ^ mix(moment + 0x9E3779B97F4A7C15L * ++drawn));
    }

    /** Mixes the bits by the finalizer of SplitMix64. */
    private static long mix(long value) {
        long z = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
