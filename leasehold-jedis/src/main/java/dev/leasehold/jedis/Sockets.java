package dev.leasehold.jedis;

import dev.leasehold.TlsOptions;
import dev.leasehold.spi.RedisServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import jdk.net.ExtendedSocketOptions;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.JedisSocketFactory;
import redis.clients.jedis.exceptions.JedisConnectionException;

/**
 * Makes the socket of one connection: with a limit for every step, and secured if the URI says so. Only one: Jedis
 * would reconnect by itself when it writes to a connection that another thread has closed, and would neither
 * authenticate nor be closed again.
 */
final class Sockets implements JedisSocketFactory {

    /** The end of a silently broken connection is detected after 10 s + 3 x 5 s, also when it is idle. */
    private static final int IDLE_SECONDS = 10;

    private static final int PROBE_SECONDS = 5;
    private static final int PROBES = 3;

    private static final Logger LOG = LoggerFactory.getLogger(Sockets.class);

    private final RedisServer server;
    private final TlsOptions tls;
    private final int timeoutMillis;
    private final AtomicBoolean made = new AtomicBoolean();
    private volatile @Nullable Socket socket;
    private volatile boolean cut;

    Sockets(RedisServer server, TlsOptions tls, int timeoutMillis) {
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
            Socket ready = server.tls() ? secured(connected()) : connected();
            socket = ready;
            if (cut) {
                cut();
            }
            return ready;
        } catch (IOException e) {
            throw new JedisConnectionException(server + " cannot be reached", e);
        }
    }

    /**
     * Closes the socket even while another thread writes or reads: nothing is flushed before, so nothing is sent twice.
     */
    void cut() {
        cut = true;
        Socket open = socket;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                LOG.debug("A connection to {} was cut that was broken", server, e);
            }
        }
    }

    /** Returns whether the socket was created and is unusable by now. */
    boolean isClosed() {
        Socket last = socket;
        return last != null && last.isClosed();
    }

    /** Tries one address of the host after another. */
    private Socket connected() throws IOException {
        IOException last = new UnknownHostException(server.host());
        for (InetAddress address : InetAddress.getAllByName(server.host())) {
            try {
                return connected(new InetSocketAddress(address, server.port()));
            } catch (IOException e) {
                last = e;
            }
        }
        throw last;
    }

    private Socket connected(InetSocketAddress address) throws IOException {
        Socket socket = new Socket();
        try {
            socket.setTcpNoDelay(true);
            keepAlive(socket);
            socket.connect(address, timeoutMillis);
            socket.setSoTimeout(timeoutMillis);
            return socket;
        } catch (IOException | RuntimeException e) {
            socket.close();
            throw e;
        }
    }

    private static void keepAlive(Socket socket) throws IOException {
        socket.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        if (socket.supportedOptions().contains(ExtendedSocketOptions.TCP_KEEPIDLE)) {
            socket.setOption(ExtendedSocketOptions.TCP_KEEPIDLE, IDLE_SECONDS);
            socket.setOption(ExtendedSocketOptions.TCP_KEEPINTERVAL, PROBE_SECONDS);
            socket.setOption(ExtendedSocketOptions.TCP_KEEPCOUNT, PROBES);
        }
    }

    private Socket secured(Socket plain) throws IOException {
        try {
            SSLSocket socket = (SSLSocket)
                    Tls.context(tls).getSocketFactory().createSocket(plain, server.host(), server.port(), true);
            SSLParameters parameters = socket.getSSLParameters();
            // The name in the certificate must be the host's.
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            socket.setSSLParameters(parameters);
            socket.startHandshake();
            return socket;
        } catch (SocketTimeoutException e) {
            plain.close();
            // A server without TLS waits for the end of what it takes for a command, and so do we for its answer.
            SocketTimeoutException silence = new SocketTimeoutException(
                    "no TLS handshake within " + timeoutMillis + " ms; does it speak TLS there?");
            silence.addSuppressed(e);
            throw silence;
        } catch (IOException | RuntimeException e) {
            plain.close();
            throw e;
        }
    }

    @Override
    public String toString() {
        return server.toString();
    }
}
