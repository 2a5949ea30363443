package dev.leasehold.testkit;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * An authority made for one test run, and certificates that it signed: valid and invalid ones, as the PEM files
 * that redis-server reads and as PKCS #12 stores for Java. They are in a temporary directory until
 * {@link #close()}.
 *
 * <p>Immutable and thread-safe.
 */
public final class TlsCertificates implements AutoCloseable {

    /** The password of every store: nothing here is a secret. */
    public static final String STORE_PASSWORD = "leasehold";

    private static final Duration BEFORE = Duration.ofDays(2);
    private static final Duration AFTER = Duration.ofDays(30);

    private final Path directory;
    private final Path caPem;
    private final Path trustStore;
    private final KeyStore trusted;
    private final Identity server;
    private final Identity client;
    private final Identity expired;
    private final Identity wrongHost;

    /**
     * A certificate with its private key.
     *
     * @param certificatePem the certificate, PEM
     * @param keyPem the private key, PEM (PKCS #8)
     * @param keyStore both, in a PKCS #12 store with the password {@link #STORE_PASSWORD}
     */
    public record Identity(Path certificatePem, Path keyPem, Path keyStore) {}

    private TlsCertificates(Path directory) throws IOException, GeneralSecurityException {
        this.directory = directory;
        Instant now = Instant.now();
        Instant from = now.minus(BEFORE);
        Instant until = now.plus(AFTER);
        List<byte[]> loopback =
                List.of(new byte[] {127, 0, 0, 1}, new byte[] {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1});
        List<String> localhost = List.of("localhost");
        CertificateAuthority authority = new CertificateAuthority(from, until);
        this.caPem = writePem("ca.pem", "CERTIFICATE", authority.certificate().getEncoded());
        this.trusted = emptyStore();
        trusted.setCertificateEntry("ca", authority.certificate());
        this.trustStore = writeStore("trust.p12", trusted);
        this.server = write("server", authority.issue("localhost", from, until, localhost, loopback));
        this.client = write("client", authority.issue("test client", from, until, List.of(), List.of()));
        this.expired = write(
                "expired", authority.issue("localhost", from, now.minus(Duration.ofDays(1)), localhost, loopback));
        this.wrongHost = write(
                "wrong-host",
                authority.issue("elsewhere.invalid", from, until, List.of("elsewhere.invalid"), List.of()));
    }

    /** Creates an authority and all its certificates; they differ from those of every other call. */
    public static TlsCertificates create() {
        try {
            return new TlsCertificates(Files.createTempDirectory("leasehold-tls-"));
        } catch (IOException e) {
            throw new UncheckedIOException("The certificates could not be written to java.io.tmpdir", e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("This JDK cannot make the certificates", e);
        }
    }

    /** Returns the authority's certificate, PEM: clients have to trust it. */
    public Path caPem() {
        return caPem;
    }

    /** Returns the authority's certificate in a PKCS #12 store with the password {@link #STORE_PASSWORD}. */
    public Path trustStore() {
        return trustStore;
    }

    /** Returns a server's certificate for {@code localhost}, {@code 127.0.0.1} and {@code ::1}. */
    public Identity server() {
        return server;
    }

    /** Returns a client's certificate, for servers that require one. */
    public Identity client() {
        return client;
    }

    /** Returns a certificate like {@link #server()} that expired a day ago. */
    public Identity expired() {
        return expired;
    }

    /** Returns a server's certificate for another host, {@code elsewhere.invalid}. */
    public Identity wrongHost() {
        return wrongHost;
    }

    /** Returns a context for clients that trusts only this authority and presents no certificate. */
    public SSLContext clientContext() {
        try {
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(trusted);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("This JDK cannot make a TLS context", e);
        }
    }

    private Identity write(String name, CertificateAuthority.Signed signed)
            throws IOException, GeneralSecurityException {
        KeyStore store = emptyStore();
        store.setKeyEntry(name, signed.key(), STORE_PASSWORD.toCharArray(), new Certificate[] {signed.certificate()});
        return new Identity(
                writePem(name + ".pem", "CERTIFICATE", signed.certificate().getEncoded()),
                writePem(name + ".key", "PRIVATE KEY", signed.key().getEncoded()),
                writeStore(name + ".p12", store));
    }

    private Path writePem(String file, String type, byte[] content) throws IOException {
        String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        String pem = "-----BEGIN " + type + "-----\n" + body + "\n-----END " + type + "-----\n";
        return Files.writeString(directory.resolve(file), pem, StandardCharsets.US_ASCII);
    }

    private Path writeStore(String file, KeyStore store) throws IOException, GeneralSecurityException {
        Path path = directory.resolve(file);
        try (OutputStream out = Files.newOutputStream(path)) {
            store.store(out, STORE_PASSWORD.toCharArray());
        }
        return path;
    }

    private static KeyStore emptyStore() throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }

    /** Deletes the files. Idempotent; a server that runs with them has read them already. */
    @Override
    public void close() {
        TemporaryFiles.deleteTree(directory);
    }
}
