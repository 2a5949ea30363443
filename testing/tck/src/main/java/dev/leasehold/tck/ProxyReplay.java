package dev.leasehold.tck;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Sends a recorded request to the server once more, over a connection of its own. */
final class ProxyReplay {

    private static final int TIMEOUT_MILLIS = 10_000;

    private ProxyReplay() {}

    /** Returns the server's reply as RESP. */
    static String send(InetSocketAddress target, ProxyState.Recorded recorded) {
        try (Socket socket = new Socket()) {
            socket.connect(target, TIMEOUT_MILLIS);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            String reply = "";
            for (byte[] request : recorded.requests()) {
                reply = ask(socket, request);
            }
            return reply;
        } catch (IOException e) {
            throw new UncheckedIOException("The recorded request could not be sent again", e);
        }
    }

    private static String ask(Socket socket, byte[] request) throws IOException {
        socket.getOutputStream().write(request);
        InputStream in = socket.getInputStream();
        RespFrames frames = new RespFrames();
        byte[] buffer = new byte[4096];
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
            List<byte[]> replies = frames.feed(ByteBuffer.wrap(buffer, 0, n));
            if (!replies.isEmpty()) {
                return new String(replies.get(0), StandardCharsets.UTF_8);
            }
        }
        throw new IOException("The server closed the connection without a reply");
    }
}
