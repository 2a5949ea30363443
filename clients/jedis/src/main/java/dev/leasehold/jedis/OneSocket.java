package dev.leasehold.jedis;

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

    private final JedisSocketFactory sockets;
    private final AtomicBoolean made = new AtomicBoolean();
    private volatile @Nullable Socket socket;

    OneSocket(JedisSocketFactory sockets) {
        this.sockets = sockets;
    }

    @Override
    public Socket createSocket() {
        if (made.getAndSet(true)) {
            throw new JedisConnectionException("the connection was closed");
        }
        Socket opened = sockets.createSocket();
        socket = opened;
        return opened;
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
