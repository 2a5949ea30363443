package dev.leasehold.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Finds ports on which no process listens, for servers that tests start. They are below the ranges from which operating systems take the
 * local ports of outgoing connections: otherwise a server that restarts on its port would sometimes find it used by a client. Thread-safe.
 */
public final class FreePorts {

    /** The distance from a node's port to its cluster bus, in every version of the server. */
    static final int BUS = 10_000;

    private static final int FIRST = 12_000;
    private static final int END = 22_000;
    private static final int TRIES = 1_000;

    private FreePorts() {}

    /**
     * Returns a port on which a bind to the loopback address succeeded a moment ago, reserved for this JVM until it ends or releases
     * the port; a process that knows no reservations may take it meanwhile.
     *
     * @return the port
     * @throws EmbeddedRedisException if a thousand tries find none
     */
    public static int next() {
        for (int i = 0; i < TRIES; i++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, END);
            if (PortReservations.reserve(port) && isFree(port)) {
                return port;
            }
        }
        throw new EmbeddedRedisException(
                "No free port found between " + FIRST + " and " + END + " on the loopback address.");
    }

    /** Returns a free port whose cluster bus, {@link #BUS} above it, is free as well. */
    static int nextWithBus() {
        for (int i = 0; i < TRIES; i++) {
            int port = next();
            if (PortReservations.reserve(port + BUS)) {
                if (isFree(port + BUS)) {
                    return port;
                }
                release(port + BUS);
            }
            release(port);
        }
        throw new EmbeddedRedisException("No free port found between " + FIRST + " and " + END + " whose cluster bus, "
                + BUS + " above it, is free too, on the loopback address.");
    }

    /**
     * Ends the reservation of a port that this JVM does not need any more.
     *
     * @param port from {@link #next}
     */
    public static void release(int port) {
        PortReservations.release(port);
    }

    static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port));
            return true;
        } catch (IOException taken) {
            return false;
        }
    }
}
