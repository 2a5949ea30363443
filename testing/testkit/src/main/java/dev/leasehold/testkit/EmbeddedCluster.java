package dev.leasehold.testkit;

import java.util.ArrayList;
import java.util.List;

/**
 * A real Redis Cluster on free ports of the loopback address, ready in about a second.
 *
 * <p>Each node is an {@link EmbeddedRedis}: it ends as reliably and offers the same faults, {@code pause()},
 * {@code kill()}, {@code stop()} and {@code restart()}, which restarts it on its port with its slots. A server that
 * restarts as a primary serves again after two seconds; {@link #awaitHealthy()} waits for that.
 * {@code restartEmpty()} loses a node's keys, not its slots. The cluster bus of a node is 10,000 above its port;
 * the port is chosen so that both are free.
 *
 * <p>Thread-safe, except for two concurrent steps of the migration of one slot.
 *
 * <pre>{@code
 * try (EmbeddedCluster cluster = EmbeddedCluster.start()) {
 *     connect(cluster.uri());
 *     cluster.nodeOf("key").pause();
 * }
 * }</pre>
 */
public final class EmbeddedCluster implements AutoCloseable {

    private final List<EmbeddedRedis> nodes;
    private final ClusterTopology topology;
    private final SlotMigrations migrations;

    private EmbeddedCluster(List<EmbeddedRedis> nodes, ClusterTopology topology, String adminPassword) {
        this.nodes = List.copyOf(nodes);
        this.topology = topology;
        this.migrations = new SlotMigrations(topology, adminPassword);
    }

    /**
     * Starts a cluster with the defaults of {@link #builder()} and waits until every node serves.
     *
     * @throws EmbeddedRedisException if it does not start; the message contains what the nodes report
     */
    public static EmbeddedCluster start() {
        return builder().start();
    }

    /**
     * Returns a builder with the defaults: three primaries, no replicas, one random password for all nodes, no TLS, a
     * node timeout of 2 s.
     */
    public static EmbeddedClusterBuilder builder() {
        return new EmbeddedClusterBuilder();
    }

    static EmbeddedCluster start(
            EmbeddedRedisBuilder settings, ClusterMembership membership, int primaries, int replicas) {
        List<EmbeddedRedis> nodes = new ArrayList<>();
        try {
            for (int i = 0; i < primaries * (1 + replicas); i++) {
                nodes.add(settings.start());
            }
            ClusterTopology topology = new ClusterFormation(nodes, primaries).form();
            return new EmbeddedCluster(nodes, topology, membership.adminPassword());
        } catch (RuntimeException | Error e) {
            nodes.forEach(EmbeddedRedis::close);
            throw e;
        }
    }

    /** Returns the URI of the first node for the default user, with the password if there is one. Clients discover the other nodes from it. */
    public String uri() {
        return nodes.get(0).uri();
    }

    /** Returns the URI of every node, in the order of {@link #nodes()}. */
    public List<String> uris() {
        return nodes.stream().map(EmbeddedRedis::uri).toList();
    }

    /**
     * Returns all nodes: first those that began as primaries, in the order of their slots, then those that began as
     * replicas.
     */
    public List<EmbeddedRedis> nodes() {
        return nodes;
    }

    /**
     * Returns the current primaries. The role of a node that does not answer is the one that another node reports.
     *
     * @throws EmbeddedRedisException if no node answers
     */
    public List<EmbeddedRedis> primaries() {
        return nodes.stream().filter(topology::isPrimary).toList();
    }

    /**
     * Returns the current replicas of this node.
     *
     * @throws IllegalArgumentException if it is not a node of this cluster
     * @throws EmbeddedRedisException if no node answers
     */
    public List<EmbeddedRedis> replicasOf(EmbeddedRedis primary) {
        return topology.replicasOf(primary);
    }

    /** Returns the slot of a key, 0 to 16383. */
    public int slotOf(String key) {
        return ClusterSlots.of(key);
    }

    /**
     * Returns the primary that currently has this slot, according to the nodes that answer. The primary itself need
     * not run.
     *
     * @throws IllegalArgumentException if the slot is not within 0 to 16383
     * @throws EmbeddedRedisException if no node that answers knows
     */
    public EmbeddedRedis nodeOf(int slot) {
        return topology.ownerOf(slot);
    }

    /** Returns the primary that currently has the slot of this key; see {@link #nodeOf(int)}. */
    public EmbeddedRedis nodeOf(String key) {
        return nodeOf(slotOf(key));
    }

    /**
     * Moves a slot with its keys to another primary: the following three steps in one call.
     *
     * @throws IllegalArgumentException if the slot is there already, or {@code to} is not a primary of this cluster
     * @throws IllegalStateException if the slot is being migrated already
     */
    public void migrate(int slot, EmbeddedRedis to) {
        beginMigration(slot, to);
        moveKeys(slot);
        finishMigration(slot);
    }

    /**
     * Begins to move a slot: from now on its primary answers ASK for every key that it does not have.
     *
     * @throws IllegalArgumentException if the slot is there already, or {@code to} is not a primary of this cluster
     * @throws IllegalStateException if the slot is being migrated already
     */
    public void beginMigration(int slot, EmbeddedRedis to) {
        migrations.begin(slot, to);
    }

    /**
     * Moves the slot's keys until none is left. The keys have to be UTF-8. Repeatable.
     *
     * @throws IllegalStateException if the slot is not being migrated
     */
    public void moveKeys(int slot) {
        migrations.moveKeys(slot);
    }

    /**
     * Assigns the slot to its new primary and waits until all nodes that answer know. The old primary then answers
     * MOVED.
     *
     * @throws IllegalStateException if the slot is not being migrated, or the old primary still has keys of it
     */
    public void finishMigration(int slot) {
        migrations.finish(slot);
    }

    /**
     * Promotes a replica of this primary immediately, without a vote (CLUSTER FAILOVER TAKEOVER), and waits until
     * all nodes that answer know. Writes that the replica has not received are lost, as after the loss of a
     * machine. The old primary may run, be paused or be dead; it becomes a replica when it learns of the new one.
     *
     * @return the new primary
     * @throws IllegalArgumentException if it is not a node of this cluster
     * @throws IllegalStateException if it has no replica that answers
     */
    public EmbeddedRedis failOver(EmbeddedRedis primary) {
        EmbeddedRedis replica = replicaOf(primary);
        replica.command("CLUSTER", "FAILOVER", "TAKEOVER");
        topology.await("all nodes know that " + replica + " is a primary now", () -> isReplacedBy(primary, replica));
        return replica;
    }

    /**
     * Promotes a replica of this primary by an election (CLUSTER FAILOVER), and waits until all nodes that answer
     * know. The old primary takes no writes until the replica has all data, so nothing is lost, and becomes a
     * replica. A majority of the primaries must answer, including the old one.
     *
     * @return the new primary
     * @throws IllegalArgumentException if it is not a node of this cluster
     * @throws IllegalStateException if it has no replica that answers
     * @throws EmbeddedRedisException if there is no result within 30 s; the message contains what every node
     *     reports
     */
    public EmbeddedRedis elect(EmbeddedRedis primary) {
        EmbeddedRedis replica = replicaOf(primary);
        topology.repeat(
                "all nodes know that " + replica + " was elected in place of " + primary,
                () -> {
                    if (!topology.isPrimary(replica)) {
                        replica.command("CLUSTER", "FAILOVER");
                    }
                },
                () -> isReplacedBy(primary, replica));
        return replica;
    }

    private EmbeddedRedis replicaOf(EmbeddedRedis primary) {
        return replicasOf(primary).stream()
                .filter(EmbeddedRedis::isReachable)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(
                        primary + " has no replica that answers; start the cluster with replicas(1)."));
    }

    private boolean isReplacedBy(EmbeddedRedis primary, EmbeddedRedis replica) {
        return topology.isPrimary(replica)
                && topology.isAgreed(migrations.slots())
                && !(primary.isReachable() && topology.isPrimary(primary));
    }

    /**
     * Waits until the nodes that run and are not paused are connected, agree on the owner of every slot and serve,
     * and their replicas have all data.
     *
     * @throws EmbeddedRedisException if that takes over 30 s, for example because a primary is stopped; the message
     *     contains what every node reports
     */
    public void awaitHealthy() {
        topology.await("all nodes that run serve and agree", topology::isHealthy);
    }

    /** Makes the cluster usable again after a test paused, killed or filled its nodes. For the JUnit extension. */
    void reset() {
        nodes.forEach(node -> node.reset(false));
        awaitHealthy();
        primaries().forEach(this::flush);
    }

    private void flush(EmbeddedRedis primary) {
        primary.flush();
        long flushed = primary.replicationOffset();
        topology.await(
                "all replicas are flushed",
                () -> replicasOf(primary).stream().allMatch(node -> node.replicationOffset() >= flushed));
    }

    /** Ends all nodes by SIGKILL and deletes their temporary files. Idempotent. */
    @Override
    public void close() {
        nodes.forEach(EmbeddedRedis::close);
    }

    @Override
    public String toString() {
        return "EmbeddedCluster" + nodes;
    }
}
