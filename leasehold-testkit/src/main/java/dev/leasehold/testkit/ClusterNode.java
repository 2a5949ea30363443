package dev.leasehold.testkit;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Set;

/**
 * One line of CLUSTER NODES: what one node knows of another, or of itself.
 *
 * @param id of the node the line is about
 * @param flags such as {@code myself}, {@code master}, {@code slave}, {@code fail?}
 * @param primaryId of the primary it replicates, or {@code -}
 * @param epoch of its configuration: of two that claim a slot, the one with the higher epoch has it
 * @param connected whether the bus connection to it stands
 * @param slots that it serves, without those that only begin to come
 */
record ClusterNode(String id, Set<String> flags, String primaryId, long epoch, boolean connected, BitSet slots) {

    private static final int FIRST_SLOT = 8;

    static List<ClusterNode> parse(String answer) {
        return answer.lines().map(ClusterNode::parseLine).toList();
    }

    private static ClusterNode parseLine(String line) {
        String[] words = line.split(" ", -1);
        BitSet slots = new BitSet(ClusterSlots.COUNT);
        Arrays.stream(words)
                .skip(FIRST_SLOT)
                .filter(word -> !word.isEmpty() && !word.startsWith("["))
                .forEach(word -> {
                    String[] range = word.split("-", -1);
                    slots.set(Integer.parseInt(range[0]), Integer.parseInt(range[range.length - 1]) + 1);
                });
        return new ClusterNode(
                words[0],
                Set.of(words[2].split(",", -1)),
                words[3],
                Long.parseLong(words[6]),
                "connected".equals(words[7]),
                slots);
    }

    boolean isPrimary() {
        return flags.contains("master");
    }

    /** Neither failed, nor suspected of it, nor still being introduced. */
    boolean isSound() {
        return connected && !flags.contains("fail") && !flags.contains("fail?") && !flags.contains("handshake");
    }
}
