package dev.leasehold.tck;

import dev.leasehold.testkit.TlsCertificates;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * Ends the TLS of clients before a fault proxy, which has to read what they send. A connection that the proxy refuses or resets is
 * reset for the client; one that the proxy ends is ended.
 */
final class TlsFront implements AutoCloseable {

    private static final int BUFFER = 16 * 1024;

    private final int target;
    private final ServerSocket listener;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    /** Starts it on a free port. */
    TlsFront(TlsCertificates certificates, int target) {
        this.target = target;
        try {
            listener = context(certificates)
                    .getServerSocketFactory()
                    .createServerSocket(0, 0, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        inThread(this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    private static SSLContext context(TlsCertificates certificates) throws IOException {
        char[] password = TlsCertificates.STORE_PASSWORD.toCharArray();
        try (InputStream store = Files.newInputStream(certificates.server().keyStore())) {
            KeyStore keys = KeyStore.getInstance("PKCS12");
            keys.load(store, password);
            KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            managers.init(keys, password);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(managers.getKeyManagers(), null, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("This JDK cannot make a TLS context", e);
        }
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = listener.accept();
            open.add(client);
            inThread(() -> connect(client));
        }
    }

    private void connect(Socket client) {
        Socket proxy;
        try {
            proxy = new Socket(listener.getInetAddress(), target);
        } catch (IOException refused) {
            end(client, true);
            return;
        }
        open.add(proxy);
        if (listener.isClosed()) {
            end(client, true);
            end(proxy, true);
            return;
        }
        inThread(() -> forward(proxy, client));
        forward(client, proxy);
    }

    private void forward(Socket from, Socket to) {
        boolean reset = false;
        try {
            from.setTcpNoDelay(true);
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] bytes = new byte[BUFFER];
            for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
                out.write(bytes, 0, read);
            }
        } catch (IOException e) {
            reset = true;
        }
        end(from, reset);
        end(to, reset);
    }

    private void end(Socket socket, boolean reset) {
        open.remove(socket);
        try (Closeable closing = socket) {
            if (reset) {
                socket.setSoLinger(true, 0);
            }
        } catch (IOException ignored) {
            // It is closed already.
        }
    }

    private static void inThread(SocketThread.Task task) {
        SocketThread.start("leasehold-tls-front", task);
    }

    /** Stops listening and resets all connections. */
    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        open.forEach(socket -> end(socket, true));
    }
}
