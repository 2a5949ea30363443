package dev.leasehold.tck;

import dev.leasehold.Credentials;
import dev.leasehold.spi.ConnectionSettings;
import dev.leasehold.spi.RedisConnector;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.testkit.EmbeddedRedis;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A way in which an adapter connects: by a URI, or over a client that the application lends. Immutable. */
public final class ContractWay {

    private final String name;
    private final boolean byUri;
    private final Set<Topology> topologies;
    private final Function<ConnectionSettings, RedisTransport> transports;
    private final boolean answersOnCallersThread;
    private final boolean knowsUser;
    private final @Nullable Function<ConnectionSettings, RedisConnector> connectors;
    private final @Nullable Lender lender;
    private final Set<String> without;

    /** Opens a transport over a client as an application has it, which asks a provider of its own for credentials. */
    @FunctionalInterface
    public interface Lender {

        /**
         * Opens a transport over a new client.
         *
         * @param server the server
         * @param credentials what the client's provider returns
         * @return connected; ends its client when it is closed, see {@link ContractWay#lent}
         */
        RedisTransport lend(EmbeddedRedis server, Supplier<Credentials> credentials);
    }

    private ContractWay(
            String name,
            boolean byUri,
            Set<Topology> topologies,
            Function<ConnectionSettings, RedisTransport> transports,
            boolean answersOnCallersThread,
            boolean knowsUser,
            @Nullable Function<ConnectionSettings, RedisConnector> connectors,
            @Nullable Lender lender,
            Set<String> without) {
        this.name = name;
        this.byUri = byUri;
        this.topologies = topologies;
        this.transports = transports;
        this.answersOnCallersThread = answersOnCallersThread;
        this.knowsUser = knowsUser;
        this.connectors = connectors;
        this.lender = lender;
        this.without = without;
    }

    /**
     * Returns the way of an adapter that is found by its URI, to any topology.
     *
     * @param name in reports
     * @param transports opens the same transport as the adapter's provider
     * @return the way
     */
    public static ContractWay byUri(String name, Function<ConnectionSettings, RedisTransport> transports) {
        return new ContractWay(
                name, true, EnumSet.allOf(Topology.class), transports, false, false, null, null, Set.of());
    }

    /**
     * Returns the way over a client that the application lends.
     *
     * @param name in reports
     * @param topology the one that such a client reaches
     * @param transports opens a transport that ends its client when it is closed, see {@link #lent}
     * @return the way
     */
    public static ContractWay byLentClient(
            String name, Topology topology, Function<ConnectionSettings, RedisTransport> transports) {
        return new ContractWay(name, false, EnumSet.of(topology), transports, false, false, null, null, Set.of());
    }

    /**
     * Returns the same way of an adapter that sends and reads on the caller's thread.
     *
     * @return another one
     */
    public ContractWay answeringOnCallersThread() {
        return new ContractWay(name, byUri, topologies, transports, true, knowsUser, connectors, lender, without);
    }

    /**
     * Returns the same way of an adapter that makes clients itself: the contracts of connectors, TLS and slots apply, and it knows its user.
     *
     * @param makes makes the adapter's connectors
     * @return another one
     */
    public ContractWay withConnectors(Function<ConnectionSettings, RedisConnector> makes) {
        return new ContractWay(
                name, byUri, topologies, transports, answersOnCallersThread, true, makes, lender, without);
    }

    /**
     * Returns the same way over a client whose settings tell the user, whom messages then name.
     *
     * @return another one
     */
    public ContractWay knowingItsUser() {
        return new ContractWay(
                name, byUri, topologies, transports, answersOnCallersThread, true, connectors, lender, without);
    }

    /**
     * Returns the same way of an adapter whose credentials may change: the contract of credentials applies.
     *
     * @param lends lends a client that asks for credentials
     * @return another one
     */
    public ContractWay withCredentials(Lender lends) {
        return new ContractWay(
                name, byUri, topologies, transports, answersOnCallersThread, knowsUser, connectors, lends, without);
    }

    /**
     * Returns the same way without contracts that it cannot keep.
     *
     * @param contracts their names
     * @return another one
     */
    public ContractWay without(String... contracts) {
        return new ContractWay(
                name,
                byUri,
                topologies,
                transports,
                answersOnCallersThread,
                knowsUser,
                connectors,
                lender,
                Set.of(contracts));
    }

    /**
     * Opens a transport over a client, and ends the client with the transport, or if it cannot be opened.
     *
     * @param client the client
     * @param opening opens the transport
     * @param ending ends the client
     * @return the transport
     * @param <C> the client's type
     */
    public static <C> RedisTransport lent(C client, Function<C, RedisTransport> opening, Consumer<C> ending) {
        RedisTransport transport;
        try {
            transport = opening.apply(client);
        } catch (RuntimeException e) {
            ending.accept(client);
            throw e;
        }
        return (RedisTransport) Proxy.newProxyInstance(
                ContractWay.class.getClassLoader(),
                new Class<?>[] {RedisTransport.class},
                (self, method, arguments) -> {
                    try {
                        return method.invoke(transport, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    } finally {
                        if (method.getName().equals("close")) {
                            ending.accept(client);
                        }
                    }
                });
    }

    /**
     * Returns its name.
     *
     * @return as in reports
     */
    public String name() {
        return name;
    }

    boolean isByUri() {
        return byUri;
    }

    Set<Topology> topologies() {
        return topologies;
    }

    boolean leavesOut(Class<?> contract) {
        return without.contains(contract.getSimpleName());
    }

    boolean hasConnectors() {
        return connectors != null;
    }

    boolean hasCredentials() {
        return lender != null;
    }

    boolean knowsUser() {
        return knowsUser;
    }

    boolean answersOnCallersThread() {
        return answersOnCallersThread;
    }

    RedisTransport open(ConnectionSettings settings) {
        return transports.apply(settings);
    }

    RedisConnector connector(ConnectionSettings settings) {
        return Objects.requireNonNull(connectors).apply(settings);
    }

    RedisTransport lend(EmbeddedRedis server, Supplier<Credentials> credentials) {
        return Objects.requireNonNull(lender).lend(server, credentials);
    }
}
