package dev.leasehold.spi;

import dev.leasehold.TlsOptions;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the JDK's TLS context of PEM files, for adapters to clients that open sockets of the JDK. */
public final class TlsContext {

    private static final Pattern KEY =
            Pattern.compile("-----BEGIN (PRIVATE) KEY-----([^-]*)-----END \\1 KEY-----", Pattern.DOTALL);
    private static final List<String> ALGORITHMS = List.of("RSA", "EC", "Ed25519", "Ed448");
    private static final Logger LOG = LoggerFactory.getLogger(TlsContext.class);
    private static final char[] NO_PASSWORD = new char[0];

    private TlsContext() {}

    /**
     * Reads the files. An adapter calls this for each connection, so that a renewed certificate takes effect at the next.
     *
     * @param options the files; without them, the authorities that the JDK trusts, and no certificate
     * @return a new context
     * @throws IOException if a file cannot be read, or has no certificate, or no private key in PKCS#8 without a password
     */
    public static SSLContext of(TlsOptions options) throws IOException {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(
                    shown(options.certificate(), options.privateKey()), trusted(options.trustedCertificates()), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException("the TLS options cannot be used: " + e.getMessage(), e);
        }
    }

    private static TrustManager @Nullable [] trusted(@Nullable Path pem) throws IOException, GeneralSecurityException {
        if (pem == null) {
            return null;
        }
        KeyStore store = empty();
        Certificate[] certificates = certificates(pem);
        for (int i = 0; i < certificates.length; i++) {
            store.setCertificateEntry("trusted-" + i, certificates[i]);
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return factory.getTrustManagers();
    }

    private static KeyManager @Nullable [] shown(@Nullable Path certificate, @Nullable Path key)
            throws IOException, GeneralSecurityException {
        if (certificate == null || key == null) {
            return null;
        }
        KeyStore store = empty();
        store.setKeyEntry("client", privateKey(key), NO_PASSWORD, certificates(certificate));
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store, NO_PASSWORD);
        return factory.getKeyManagers();
    }

    private static KeyStore empty() throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, NO_PASSWORD);
        return store;
    }

    private static Certificate[] certificates(Path pem) throws IOException, GeneralSecurityException {
        byte[] bytes = Files.readAllBytes(pem);
        Certificate[] certificates = CertificateFactory.getInstance("X.509")
                .generateCertificates(new ByteArrayInputStream(bytes))
                .toArray(new Certificate[0]);
        if (certificates.length == 0) {
            throw new IOException(pem + " has no certificate");
        }
        return certificates;
    }

    private static PrivateKey privateKey(Path pem) throws IOException, GeneralSecurityException {
        Matcher key = KEY.matcher(Files.readString(pem, StandardCharsets.US_ASCII));
        if (!key.find()) {
            throw new IOException(pem + " has no private key in PKCS#8 that is not encrypted");
        }
        PKCS8EncodedKeySpec spec =
                new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(key.group(2)));
        for (String algorithm : ALGORITHMS) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(spec);
            } catch (InvalidKeySpecException e) {
                LOG.trace("{} has no key for {}", pem, algorithm, e);
            }
        }
        throw new IOException(pem + " has a private key of none of the algorithms " + ALGORITHMS);
    }
}
