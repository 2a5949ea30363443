package dev.leasehold.tck;

import java.util.List;
import java.util.Set;
import java.util.function.BiPredicate;

/** A part of the matrix of contracts. Each set also draws all that the sets before it draw. */
@SuppressWarnings("ImmutableEnumChecker") // its rows keep nothing
public enum ContractSet {
    /** What {@code mvn verify} runs. */
    DEFAULT(List.of(
            (contract, in) -> Contracts.SMOKE.contains(contract) && in.way().isByUri(),
            (contract, in) -> Contracts.OF_TRANSPORTS.contains(contract),
            (contract, in) ->
                    Contracts.OF_CLIENTS.contains(contract) && in.way().hasConnectors(),
            (contract, in) -> in.adapter().name().equals("Lettuce")
                    && in.way().isByUri()
                    && (in.topology() == Topology.STANDALONE || ContractMatrix.hasOwnServers(contract)),
            (contract, in) -> Contracts.OVER_LENT_JEDIS.contains(contract)
                    && in.way().name().equals("factory of Jedis"))),
    /** What {@code mvn verify -Pfull} runs. */
    FULL(List.of(
            (contract, in) -> in.adapter().name().equals("Lettuce")
                    && in.way().isByUri()
                    && Contracts.takesTurnOn(contract, in.topology()),
            (contract, in) -> Contracts.OVER_BLOCKING_CLIENTS.contains(contract)
                    && in.adapter().name().equals("Jedis")
                    && in.way().isByUri()
                    && !in.topology().isQuorum()
                    && Contracts.takesTurnOn(contract, in.topology()))),
    /** What {@code .ci/nightly} runs: everything. */
    NIGHTLY(List.of((contract, in) -> true));

    /** Contracts that stand for others. */
    public static final class Contracts {

        /** Each build runs them over each adapter, wherever Redis runs. */
        public static final Set<Class<?>> SMOKE = Set.of(
                AsyncContract.class,
                CloseContract.class,
                ClusterContract.class,
                GuardedSentinelContract.class,
                MutexContract.class,
                SecretsContract.class);

        /** Each build runs them in every way in which an adapter connects. */
        public static final Set<Class<?>> OF_TRANSPORTS = Set.of(
                ClusterRoutingContract.class,
                ClusterTransportFailureContract.class,
                ClusterWakeUpContract.class,
                ConnectorContract.class,
                CredentialsContract.class,
                EchoingServerContract.class,
                LoneServerTransportContract.class,
                SentinelTransportContract.class,
                ShardChannelsContract.class,
                TlsContract.class,
                TransportContract.class,
                TransportFailureContract.class);

        /** Each build runs them over each adapter that makes clients itself. */
        public static final Set<Class<?>> OF_CLIENTS =
                Set.of(ClusterRightsContract.class, ClusterUriContract.class, RefusedCommandsContract.class);

        /** Each build runs them over the factories of Jedis that Spring Boot makes. */
        public static final Set<Class<?>> OVER_LENT_JEDIS = Set.of(
                AsyncContract.class,
                CloseContract.class,
                LeaseContract.class,
                MutexContract.class,
                WaitingContract.class);

        /** The full set runs them on every topology, and each other contract on one server and on one more. */
        public static final Set<Class<?>> EVERYWHERE =
                Set.of(FencingContract.class, LossContract.class, OutageContract.class, RenewalContract.class);

        /** They exercise most of the core's way to a blocking client, besides the contracts of transports. */
        public static final Set<Class<?>> OVER_BLOCKING_CLIENTS = Set.of(
                ClusterElectionContract.class,
                ClusterFailoverContract.class,
                DurabilityContract.class,
                FailoverContract.class,
                MinimalRightsContract.class,
                OutageContract.class,
                OwnHoldContract.class,
                PrimaryOutageContract.class,
                RenewalContract.class,
                ScriptRightsContract.class,
                SilentConnectionContract.class,
                SlotMigrationContract.class,
                SlotMigrationFaultsContract.class,
                SlotMigrationKindsContract.class,
                WaitingContract.class);

        private Contracts() {}

        private static boolean takesTurnOn(Class<?> contract, Topology topology) {
            return EVERYWHERE.contains(contract)
                    || ContractMatrix.hasOwnServers(contract)
                    || topology == Topology.STANDALONE
                    || topology == alsoOn(contract);
        }

        /**
         * Returns where the full set runs a contract besides one server. Contracts take turns by their names, so that each topology meets
         * some of every kind, and a run is the same each time.
         *
         * @param contract the contract
         * @return one of its topologies; a single server if it has no other
         */
        public static Topology alsoOn(Class<?> contract) {
            List<Topology> others = ContractMatrix.topologies(contract).stream()
                    .filter(topology -> topology != Topology.STANDALONE)
                    .toList();
            return others.isEmpty()
                    ? Topology.STANDALONE
                    : others.get(Math.floorMod(contract.getSimpleName().hashCode(), others.size()));
        }
    }

    private final List<BiPredicate<Class<?>, Combination>> rows;

    ContractSet(List<BiPredicate<Class<?>, Combination>> rows) {
        this.rows = rows;
    }

    /**
     * Returns whether a run of this set runs a contract in a combination.
     *
     * @param contract the contract
     * @param combination where it applies
     * @return whether this set or one before it has a row for them
     */
    public boolean draws(Class<?> contract, Combination combination) {
        for (ContractSet each : values()) {
            if (each.rows.stream().anyMatch(row -> row.test(contract, combination))) {
                return true;
            }
            if (each == this) {
                break;
            }
        }
        return false;
    }
}
