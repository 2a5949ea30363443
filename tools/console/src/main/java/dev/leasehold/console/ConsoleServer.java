package dev.leasehold.console;

import com.sun.net.httpserver.HttpServer;
import dev.leasehold.console.internal.http.ConsoleHandler;
import dev.leasehold.console.internal.http.RequestThreads;
import dev.leasehold.console.internal.http.Sessions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;

/**
 * Serves a console on loopback, to the one browser that opens {@link #uri()} first.
 *
 * <p>The URI has a one-time token behind the {@code #}, which no request line contains. The page exchanges it for a session
 * cookie and the secret path to which the browser sends the cookie; afterwards the token is worthless. So a server of another user on
 * another port of this host, to which a cookie for all paths would go, does not get the session. A request is refused unless its {@code Host} is 127.0.0.1, localhost or [::1] with
 * the port. Every {@code POST} also needs the {@code Origin} of the page and a header that other pages cannot send. At most 16 pages are
 * open at a time; the body of a request has at most 16 KiB. Requests of strangers that are never completed end each other and keep
 * none of the browser's from being answered. Anyone who can read the memory or the network traffic of this user can
 * read the session, too: it protects against other users and other pages.
 *
 * <p>The JDK's server reads a limit for slow requests, {@code sun.net.httpserver.maxReqTime}, once for all servers of the JVM;
 * {@link #start} sets it to 10 s unless it is set.
 */
public final class ConsoleServer implements AutoCloseable {

    private static final String REQUEST_LIMIT = "sun.net.httpserver.maxReqTime";
    private static final String REQUEST_SECONDS = "10";

    private final HttpServer server;
    private final RequestThreads threads;
    private final URI uri;

    private ConsoleServer(HttpServer server, RequestThreads threads, URI uri) {
        this.server = server;
        this.threads = threads;
        this.uri = uri;
    }

    /**
     * Starts the server.
     *
     * @param console the console; the caller closes it after the server
     * @param port the port, or 0 for a free one
     * @param openActions whether the user may ask for a release and take locks away
     * @return the running server
     * @throws IOException if the port cannot be used
     */
    public static ConsoleServer start(Console console, int port, boolean openActions) throws IOException {
        if (System.getProperty(REQUEST_LIMIT) == null) {
            System.setProperty(REQUEST_LIMIT, REQUEST_SECONDS);
        }
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        int actual = server.getAddress().getPort();
        Sessions sessions = new Sessions();
        RequestThreads threads = new RequestThreads();
        server.setExecutor(threads);
        ConsoleSession session = ConsoleSession.unnamed(openActions);
        ConsoleHandler handler = new ConsoleHandler(new ConsoleDispatcher(console), session, sessions, threads, actual);
        server.createContext("/", handler);
        server.createContext(sessions.path(), handler);
        server.start();
        return new ConsoleServer(
                server, threads, URI.create("http://127.0.0.1:" + actual + "/#token=" + sessions.token()));
    }

    /**
     * Returns the address to open, with the one-time token.
     *
     * @return the address, a secret until it was opened
     */
    public URI uri() {
        return uri;
    }

    /** Ends all streams and stops the server. */
    @Override
    public void close() {
        threads.close();
        server.stop(0);
    }
}
