package dev.leasehold.tck;

import dev.leasehold.Leasehold;
import dev.leasehold.LeaseholdBuilder;
import dev.leasehold.TlsOptions;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.EmbeddedRedisBuilder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The servers on which one contract runs. */
interface Site extends AutoCloseable {

    /**
     * Returns settings without a password: a proxy leads to a port, and contracts log in as users of their own.
     * {@link Topology#TLS_AND_ACL} covers logins.
     */
    static EmbeddedRedisBuilder settings() {
        return EmbeddedRedis.builder().withoutPassword();
    }

    /** Returns what these servers are. */
    Topology topology();

    /** Returns the server that has all keys of the contract's locks, or one of those that do. */
    EmbeddedRedis server();

    /** Returns the running servers that keep a key: one, or in a quorum several. */
    default List<EmbeddedRedis> servers(String key) {
        return List.of(server());
    }

    /** Returns the servers at which clients may subscribe to the wake-ups of a lock. */
    default List<EmbeddedRedis> nodes() {
        return List.of(server());
    }

    /** Returns how many servers must agree about a lock. */
    default int majority() {
        return 1;
    }

    /** Starts a fault proxy before {@link #server()}, which reads what clients send. */
    default FaultProxy proxy() {
        return FaultProxy.before(server().port());
    }

    /** Starts such a proxy before each server that decides about locks. */
    default List<FaultProxy> proxies() {
        return List.of(proxy());
    }

    /** Returns the URI for a client that would reach this server, or the proxy before it, if it were standalone. */
    default String uri(String uri) {
        return uri;
    }

    /** Returns the certificates that a client trusts. */
    default TlsOptions tls() {
        return TlsOptions.defaults();
    }

    /** Returns a builder for the same. */
    default LeaseholdBuilder builder(String uri) {
        return Leasehold.builder().uri(uri(uri)).tls(tls());
    }

    /** Returns what another process needs to reach the same servers, for {@link #connect}. */
    default String address() {
        return uri(server().uri());
    }

    /**
     * Connects to the servers of a site; the adapter is found on the class path.
     *
     * @param address from {@link #address}, or a URI: URIs, several if they are a quorum, and the certificates to trust if not the
     *     default ones, separated by blanks
     */
    static Leasehold connect(String address) {
        // A JVM that has just started on a busy machine takes longer than a user may wait.
        LeaseholdBuilder builder = Leasehold.builder().shareStacks(true).connectTimeout(Duration.ofMinutes(1));
        String[] words = address.split(" ");
        if (!words[words.length - 1].contains("://")) {
            return builder.uri(words[0])
                    .tls(TlsOptions.trusting(Path.of(words[words.length - 1])))
                    .build();
        }
        return (words.length > 1 ? builder.quorum(words) : builder.uri(words[0])).build();
    }

    /** Returns whether a key is on {@link #server()}. */
    default boolean keeps(String key) {
        return true;
    }

    /** Deletes all data of locks. */
    default void deleteAll() {
        server().command("FLUSHALL");
    }

    /** Restores the servers after a test: all run and are empty. */
    default void restore() {
        if (server().isPaused()) {
            server().resume();
        }
        server().flush();
    }

    /** Renews the servers after a contract: as good as new for the next one. */
    default void renew() {
        restore();
    }

    @Override
    void close();
}
