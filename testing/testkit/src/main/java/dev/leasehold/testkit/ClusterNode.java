package dev.leasehold.testkit;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Set;

/**
 * One line of CLUSTER NODES: a node's view of another node, or of itself.
 *
 * @param id the id of the described node
 * @param flags such as {@code myself}, {@code master}, {@code slave}, {@code fail?}
 * @param primaryId the id of the primary that it replicates, or {@code -}
 * @param epoch its configuration epoch: if two nodes claim a slot, the one with the higher epoch has it
 * @param connected whether the bus connection to it is up
 * @param slots the slots that it serves, without those that it is only importing
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

    /** Returns whether the node has neither failed, nor is suspected of failure, nor is still in its handshake. */
    boolean isSound() {
        return connected && !flags.contains("fail") && !flags.contains("fail?") && !flags.contains("handshake");
    }
}
