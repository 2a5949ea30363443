package dev.leasehold.testkit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Forms one cluster from servers that were started with {@link ClusterMembership#firstFile}. */
final class ClusterFormation {

    private static final String COVERAGE = "cluster-require-full-coverage";

    /**
     * Head start of a server that becomes a replica: longer than it usually needs. If it takes longer, forming the
     * cluster does too.
     */
    private static final Duration HEAD_START = Duration.ofSeconds(2);

    private final List<EmbeddedRedis> nodes;
    private final int primaries;

    /** Makes the first nodes primaries and distributes the others over them as replicas. */
    ClusterFormation(List<EmbeddedRedis> nodes, int primaries) {
        this.nodes = nodes;
        this.primaries = primaries;
    }

    ClusterTopology form() {
        List<?> configured = (List<?>) nodes.get(0).command("CONFIG", "GET", COVERAGE);
        String coverage = configured == null ? "yes" : String.valueOf(configured.get(1));
        nodes.forEach(node -> ClusterTopology.awaited(HEAD_START, () -> ClusterTopology.serves(node)));
        // A node that sees only a part of the slots must continue to serve.
        nodes.forEach(node -> node.command("CONFIG", "SET", COVERAGE, "no"));
        IntStream.range(0, nodes.size()).forEach(this::makePrimary);
        ClusterTopology topology = new ClusterTopology(nodes);
        IntStream.range(0, nodes.size()).forEach(this::introduce);
        topology.await("all nodes of the new cluster know one another", topology::isConnected);
        for (int i = primaries; i < nodes.size(); i++) {
            nodes.get(i).command("CLUSTER", "REPLICATE", topology.idOf(nodes.get(i % primaries)));
        }
        nodes.forEach(node -> node.command("CONFIG", "SET", COVERAGE, coverage));
        topology.await("all nodes of the new cluster serve", topology::isHealthy);
        return topology;
    }

    /**
     * Sends the commands in one transaction, so that the server never sees itself without slots: it would stop
     * serving.
     */
    private void makePrimary(int index) {
        List<String[]> commands = new ArrayList<>();
        commands.add(new String[] {"CLUSTER", "RESET", "SOFT"});
        commands.add(new String[] {"CLUSTER", "SET-CONFIG-EPOCH", String.valueOf(index + 1)});
        if (index < primaries) {
            // Redis 6 does not know ADDSLOTSRANGE.
            IntStream slots = IntStream.range(
                    ClusterSlots.COUNT * index / primaries, ClusterSlots.COUNT * (index + 1) / primaries);
            commands.add(Stream.concat(Stream.of("CLUSTER", "ADDSLOTS"), slots.mapToObj(String::valueOf))
                    .toArray(String[]::new));
        }
        nodes.get(index).transaction(commands);
    }

    /** Introduces each node to all nodes after it. That is quicker than to wait for the gossip. */
    private void introduce(int index) {
        for (EmbeddedRedis other : nodes.subList(index + 1, nodes.size())) {
            nodes.get(index)
                    .command(
                            "CLUSTER",
                            "MEET",
                            other.host(),
                            String.valueOf(other.port()),
                            String.valueOf(other.port() + FreePorts.BUS));
        }
    }
}
