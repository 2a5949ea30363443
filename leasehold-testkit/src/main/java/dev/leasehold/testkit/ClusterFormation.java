package dev.leasehold.testkit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Makes one cluster of servers that were started with {@link ClusterMembership#firstFile}. */
final class ClusterFormation {

    private static final String COVERAGE = "cluster-require-full-coverage";

    /** Longer than a server needs to serve as a replica. If it takes longer, forming the cluster does too. */
    private static final Duration HEAD_START = Duration.ofSeconds(2);

    private final List<EmbeddedRedis> nodes;
    private final int primaries;

    /** The first ones of the nodes become the primaries, the others their replicas in turn. */
    ClusterFormation(List<EmbeddedRedis> nodes, int primaries) {
        this.nodes = nodes;
        this.primaries = primaries;
    }

    ClusterTopology form() {
        List<?> configured = (List<?>) nodes.get(0).command("CONFIG", "GET", COVERAGE);
        String coverage = configured == null ? "yes" : String.valueOf(configured.get(1));
        nodes.forEach(node -> ClusterTopology.awaited(HEAD_START, () -> ClusterTopology.serves(node)));
        // A node that is alone with a part of the slots must not cease to serve for that.
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

    /** In one transaction, so that the server never finds itself to be without slots: it would cease to serve. */
    private void makePrimary(int index) {
        List<String[]> commands = new ArrayList<>();
        commands.add(new String[] {"CLUSTER", "RESET", "SOFT"});
        commands.add(new String[] {"CLUSTER", "SET-CONFIG-EPOCH", String.valueOf(index + 1)});
        if (index < primaries) {
            // Not ADDSLOTSRANGE, which Redis 6 does not know.
            IntStream slots = IntStream.range(
                    ClusterSlots.COUNT * index / primaries, ClusterSlots.COUNT * (index + 1) / primaries);
            commands.add(Stream.concat(Stream.of("CLUSTER", "ADDSLOTS"), slots.mapToObj(String::valueOf))
                    .toArray(String[]::new));
        }
        nodes.get(index).transaction(commands);
    }

    /** Each to all after it: that is quicker than to wait until they have heard of one another. */
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
