package dev.leasehold.tck;

import dev.leasehold.spi.ConnectionSettings;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.EmbeddedRedisBuilder;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;

/** Base of the contracts of transports: a server for the class, empty before each test, and the adapter under test. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class TransportBase {

    private EmbeddedRedis server;

    /** For the contracts. */
    TransportBase() {}

    /**
     * Opens the transport under test.
     *
     * @param settings the server and the login
     * @return the transport, connected; the contract closes it
     */
    protected abstract RedisTransport open(ConnectionSettings settings);

    /**
     * Starts a server; by default a standalone one.
     *
     * @param settings its configuration
     * @return the server, which has all keys
     */
    protected EmbeddedRedis start(EmbeddedRedisBuilder settings) {
        return settings.start();
    }

    /**
     * Returns the server.
     *
     * @return shared by the class
     */
    protected final EmbeddedRedis server() {
        return server;
    }

    /** Starts the server that all tests of the class share. */
    @BeforeAll
    protected void startServer() {
        server = start(EmbeddedRedis.builder());
    }

    /** Empties it. */
    @BeforeEach
    protected void emptyServer() {
        server.flush();
    }

    /** Ends it. */
    @AfterAll
    protected void stopServer() {
        server.close();
    }
}
