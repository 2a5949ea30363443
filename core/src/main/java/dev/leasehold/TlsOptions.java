package dev.leasehold;

import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Options for securing {@code rediss://} connections. The server's certificate and host name are always verified.
 *
 * @param trustedCertificates a PEM file with the certificates to trust instead of the JVM's, or null for the JVM's
 * @param certificate a PEM file with the client's certificate chain, or null for none
 * @param privateKey a PEM file with the client's private key (PKCS#8), or null for none
 */
public record TlsOptions(
        @Nullable Path trustedCertificates,
        @Nullable Path certificate,
        @Nullable Path privateKey) {

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if only one of certificate and key is given
     */
    public TlsOptions {
        if ((certificate == null) != (privateKey == null)) {
            throw new IllegalArgumentException(
                    "a client certificate needs its private key, and the other way round: give both or none");
        }
    }

    /**
     * Trusts the certificates that the JVM trusts, and presents no client certificate: the default.
     *
     * @return the options
     */
    public static TlsOptions defaults() {
        return new TlsOptions(null, null, null);
    }

    /**
     * Trusts the certificates of a PEM file instead of the JVM's.
     *
     * @param pem the file
     * @return the options
     */
    public static TlsOptions trusting(Path pem) {
        return new TlsOptions(Objects.requireNonNull(pem, "pem"), null, null);
    }
}
