package dev.leasehold.jedis;

import dev.leasehold.TlsOptions;
import dev.leasehold.spi.RedisServer;
import dev.leasehold.spi.SocketOpener;
import java.io.IOException;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.JedisSocketFactory;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.util.IOUtils;

/**
 * Makes the socket of one connection, and no second one: Jedis would reconnect by itself when it writes to a connection
 * that another thread has closed, and would neither authenticate nor be closed again.
 */
final class OneSocket implements JedisSocketFactory, JedisConnection.Origin {

    private final RedisServer server;
    private final TlsOptions tls;
    private final int timeoutMillis;
    private final AtomicBoolean made = new AtomicBoolean();
    private volatile @Nullable Socket socket;

    OneSocket(RedisServer server, TlsOptions tls, int timeoutMillis) {
        this.server = server;
        this.tls = tls;
        this.timeoutMillis = timeoutMillis;
    }

    @Override
    public Socket createSocket() {
        if (made.getAndSet(true)) {
            throw new JedisConnectionException("the connection to " + server + " was closed");
        }
        try {
            Socket opened = SocketOpener.open(server, tls, timeoutMillis);
            socket = opened;
            return opened;
        } catch (IOException e) {
            throw new JedisConnectionException(server + " cannot be reached", e);
        }
    }

    /** Flushes nothing before, as Jedis would, so nothing is sent twice. */
    @Override
    public void cut() {
        IOUtils.closeQuietly(socket);
    }

    @Override
    public void release(boolean sound) {
        cut();
    }
}
