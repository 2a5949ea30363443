package dev.leasehold.simulation;

import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The tokens that Redis reserved for a hold, in blocks. A copy of a request reserves a block of its own, from which no lease ever
 * has a token: so a new block does not replace those before it.
 */
final class Tokens {

    private final NavigableMap<Long, Long> blocks = new TreeMap<>();
    private long first;

    /** Adds a block. */
    void reserve(long first, long last) {
        this.first = first;
        blocks.put(first, last);
    }

    /** Makes this block the only one. */
    void replace(long first, long last) {
        blocks.clear();
        reserve(first, last);
    }

    /** Removes the tokens above this one. */
    void giveBackAbove(long last) {
        blocks.tailMap(last, false).clear();
        blocks.replaceAll((from, to) -> Math.min(to, last));
    }

    /** Returns the first token of the last block, 0 if there is none. */
    long first() {
        return first;
    }

    boolean has(long token) {
        Map.Entry<Long, Long> block = blocks.floorEntry(token);
        return block != null && token <= block.getValue();
    }
}
