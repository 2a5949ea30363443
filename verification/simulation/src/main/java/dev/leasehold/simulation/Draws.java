package dev.leasehold.simulation;

import java.util.SplittableRandom;

/** Random draws of one maker of plans, in its order. */
final class Draws {

    private final SplittableRandom random;

    Draws(SplittableRandom random) {
        this.random = random;
    }

    /** Returns draws that depend on a seed alone, and not on those of its neighbours. */
    static Draws of(long seed) {
        return new Draws(new SplittableRandom(new SplittableRandom(seed).nextLong()));
    }

    /** Returns true in so many of a hundred cases. */
    boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    /** Returns a number from the least to the most, both included. */
    long between(long least, long most) {
        return random.nextLong(least, most + 1);
    }

    /** Returns a small number from the least to the most, both included. */
    int count(int least, int most) {
        return random.nextInt(least, most + 1);
    }

    /** Returns a number from 0 on, below this one. */
    int below(int bound) {
        return random.nextInt(bound);
    }

    long below(long bound) {
        return random.nextLong(bound);
    }

    boolean either() {
        return random.nextBoolean();
    }

    int pick(int... those) {
        return those[random.nextInt(those.length)];
    }
}
