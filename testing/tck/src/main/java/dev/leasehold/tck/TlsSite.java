package dev.leasehold.tck;

import dev.leasehold.TlsOptions;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.EmbeddedRedisBuilder;
import dev.leasehold.testkit.TlsCertificates;

/** One server that accepts only TLS, and a user with exactly the documented rights. */
final class TlsSite implements Site {

    private final TlsCertificates certificates = TlsCertificates.create();
    private final EmbeddedRedis server;

    TlsSite(EmbeddedRedisBuilder settings) {
        server = settings.tls(certificates).start();
        DocumentedRights.grant(server, DocumentedRights.ofLocksAndPlainOnes());
    }

    @Override
    public EmbeddedRedis server() {
        return server;
    }

    @Override
    public String uri(String uri) {
        return DocumentedRights.uri(uri.replace("redis://", "rediss://"));
    }

    @Override
    public TlsOptions tls() {
        return TlsOptions.trusting(certificates.caPem());
    }

    @Override
    public void close() {
        server.close();
        certificates.close();
    }
}
