package dev.leasehold.tck;

import dev.leasehold.Leasehold;
import dev.leasehold.LeaseholdBuilder;
import dev.leasehold.TlsOptions;
import dev.leasehold.testkit.EmbeddedRedis;

/** The servers on which one contract runs. */
interface Site extends AutoCloseable {

    /** The server that has all keys of the contract's locks, or one of those that do. */
    EmbeddedRedis server();

    /** Where a client is to connect that would reach this server, or the proxy before it, if it stood alone. */
    default String uri(String uri) {
        return uri;
    }

    /** Whom a client trusts. */
    default TlsOptions tls() {
        return TlsOptions.defaults();
    }

    /** A builder for the same. */
    default LeaseholdBuilder builder(String uri) {
        return Leasehold.builder().uri(uri(uri)).tls(tls());
    }

    /** Whether a key lies on {@link #server()}. */
    default boolean keeps(String key) {
        return true;
    }

    /** After a test: everything runs and is empty. */
    default void restore() {
        if (server().isPaused()) {
            server().resume();
        }
        server().flush();
    }

    /** After a contract: as good as new for the next one. */
    default void renew() {
        restore();
    }

    @Override
    void close();
}
