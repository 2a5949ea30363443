package dev.leasehold.spi;

import dev.leasehold.TlsOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import jdk.net.ExtendedSocketOptions;

/** Opens sockets of the JDK for adapters to blocking clients: with a limit for every step, and secured if the URI says so. */
public final class SocketOpener {

    /** The end of a silently broken connection is detected after 10 s + 3 x 5 s, also when it is idle. */
    private static final int IDLE_SECONDS = 10;

    private static final int PROBE_SECONDS = 5;
    private static final int PROBES = 3;

    private SocketOpener() {}

    /**
     * Opens a socket. The certificate of a server with TLS must be of a trusted authority, and for the name of its host.
     *
     * @param server where to; one address of its host is tried after another
     * @param tls how the connection is secured, if it is
     * @param timeoutMillis how long to wait for each address, for the handshake, and as the socket's first read timeout
     * @return the socket, connected
     * @throws IOException if the server cannot be reached in time, or if it is not trusted
     */
    public static Socket open(RedisServer server, TlsOptions tls, int timeoutMillis) throws IOException {
        Socket plain = connected(server, timeoutMillis);
        return server.tls() ? secured(plain, server, tls, timeoutMillis) : plain;
    }

    private static Socket connected(RedisServer server, int timeoutMillis) throws IOException {
        IOException last = new UnknownHostException(server.host());
        for (InetAddress address : InetAddress.getAllByName(server.host())) {
            Socket socket = new Socket();
            try {
                socket.setTcpNoDelay(true);
                keepAlive(socket);
                socket.connect(new InetSocketAddress(address, server.port()), timeoutMillis);
                socket.setSoTimeout(timeoutMillis);
                return socket;
            } catch (IOException e) {
                socket.close();
                last = e;
            }
        }
        throw last;
    }

    private static void keepAlive(Socket socket) throws IOException {
        socket.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        if (socket.supportedOptions().contains(ExtendedSocketOptions.TCP_KEEPIDLE)) {
            socket.setOption(ExtendedSocketOptions.TCP_KEEPIDLE, IDLE_SECONDS);
            socket.setOption(ExtendedSocketOptions.TCP_KEEPINTERVAL, PROBE_SECONDS);
            socket.setOption(ExtendedSocketOptions.TCP_KEEPCOUNT, PROBES);
        }
    }

    private static Socket secured(Socket plain, RedisServer server, TlsOptions tls, int timeoutMillis)
            throws IOException {
        try {
            SSLSocket socket = (SSLSocket)
                    TlsContext.of(tls).getSocketFactory().createSocket(plain, server.host(), server.port(), true);
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
                    "no TLS handshake within " + timeoutMillis + " ms; perhaps it does not speak TLS there");
            silence.addSuppressed(e);
            throw silence;
        } catch (IOException | RuntimeException e) {
            plain.close();
            throw e;
        }
    }
}
