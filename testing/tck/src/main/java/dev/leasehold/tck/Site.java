package dev.leasehold.tck;

import dev.leasehold.Leasehold;
import dev.leasehold.LeaseholdBuilder;
import dev.leasehold.TlsOptions;
import dev.leasehold.testkit.EmbeddedRedis;

/** The servers on which one contract runs. */
interface Site extends AutoCloseable {

    /** Returns the server that has all keys of the contract's locks, or one of those that do. */
    EmbeddedRedis server();

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

    /** Returns whether a key is on {@link #server()}. */
    default boolean keeps(String key) {
        return true;
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
