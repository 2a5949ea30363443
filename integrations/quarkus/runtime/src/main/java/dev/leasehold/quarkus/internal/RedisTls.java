package dev.leasehold.quarkus.internal;

import dev.leasehold.TlsOptions;
import io.quarkus.redis.runtime.client.config.RedisClientConfig;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.quarkus.tls.TlsConfiguration;
import io.quarkus.tls.TlsConfigurationRegistry;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.TrustOptions;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The TLS settings of one of Quarkus' Redis clients. */
final class RedisTls {

    private RedisTls() {}

    /**
     * Returns the options for the connections.
     *
     * @throws ConfigurationException if the settings say what Leasehold cannot do
     */
    static TlsOptions options(RedisClientConfig config, TlsConfigurationRegistry registry) {
        String name = config.tlsConfigurationName().orElse(null);
        if (name == null) {
            if (config.tls().trustAll()
                    || config.tls().trustCertificateJks().enabled()
                    || config.tls().trustCertificatePfx().enabled()
                    || config.tls().keyCertificateJks().enabled()
                    || config.tls().keyCertificatePfx().enabled()) {
                throw unsupported("quarkus.redis.tls");
            }
            return options(
                    "quarkus.redis.tls",
                    config.tls().trustCertificatePem().certs().orElse(List.of()),
                    config.tls().keyCertificatePem().certs().orElse(List.of()),
                    config.tls().keyCertificatePem().keys().orElse(List.of()));
        }
        TlsConfiguration tls = registry.get(name)
                .orElseThrow(() ->
                        new ConfigurationException("quarkus.tls." + name + " does not exist, but Redis needs it"));
        TrustOptions trust = tls.getTrustStoreOptions();
        KeyCertOptions key = tls.getKeyStoreOptions();
        if (tls.isTrustAll()
                || !(trust == null || trust instanceof PemTrustOptions)
                || !(key == null || key instanceof PemKeyCertOptions)) {
            throw unsupported("quarkus.tls." + name);
        }
        PemKeyCertOptions pem = key == null ? new PemKeyCertOptions() : (PemKeyCertOptions) key;
        return options(
                "quarkus.tls." + name,
                trust == null ? List.of() : ((PemTrustOptions) trust).getCertPaths(),
                pem.getCertPaths(),
                pem.getKeyPaths());
    }

    private static TlsOptions options(
            String property, List<String> trusted, List<String> certificates, List<String> keys) {
        if (trusted.size() > 1 || certificates.size() > 1 || keys.size() > 1) {
            throw unsupported(property);
        }
        return new TlsOptions(path(trusted), path(certificates), path(keys));
    }

    private static @Nullable Path path(List<String> files) {
        return files.isEmpty() ? null : Path.of(files.get(0));
    }

    private static ConfigurationException unsupported(String property) {
        return new ConfigurationException(
                property + " has other settings than one PEM file of trusted certificates and one"
                        + " PEM certificate with its key, which are all that Leasehold reads. Write such files, or set"
                        + " quarkus.leasehold.uri and the options of TLS by a LeaseholdBuilderCustomizer");
    }
}
