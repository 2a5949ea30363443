package dev.leasehold.tck;

import dev.leasehold.TlsOptions;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.EmbeddedRedisBuilder;
import dev.leasehold.testkit.TlsCertificates;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * One server, which clients reach only through TLS, and a user with exactly the documented rights. A fault proxy stands between
 * the end of a client's TLS and the plain port of the testkit.
 */
final class TlsSite implements Site {

    private final TlsCertificates certificates = TlsCertificates.create();
    private final EmbeddedRedis server;
    private final Map<Integer, TlsFront> fronts = new ConcurrentHashMap<>();

    TlsSite(EmbeddedRedisBuilder settings) {
        this(settings, DocumentedRights.ofAnyKey("app", "wake-ups", "list", "plain"));
    }

    TlsSite(EmbeddedRedisBuilder settings, List<String> rights) {
        server = DocumentedRights.grant(settings.tls(certificates), rights).start();
    }

    @Override
    public Topology topology() {
        return Topology.TLS_AND_ACL;
    }

    @Override
    public EmbeddedRedis server() {
        return server;
    }

    @Override
    public FaultProxy proxy() {
        List<?> plainPort = ContractBase.list(server.command("CONFIG", "GET", "port"));
        FaultProxy proxy = FaultProxy.before(Integer.parseInt(plainPort.get(1).toString()));
        fronts.put(proxy.port(), new TlsFront(certificates, proxy.port()));
        return proxy;
    }

    @Override
    public String uri(String uri) {
        int port = URI.create(uri).getPort();
        TlsFront front = fronts.get(port);
        String reached = front == null ? uri : uri.replace(":" + port, ":" + front.port());
        return DocumentedRights.uri(reached.replace("redis://", "rediss://"));
    }

    @Override
    public String address() {
        return uri(server.uri()) + " " + certificates.caPem();
    }

    @Override
    public TlsOptions tls() {
        return TlsOptions.trusting(certificates.caPem());
    }

    @Override
    public void restore() {
        fronts.values().forEach(TlsFront::close);
        fronts.clear();
        Site.super.restore();
    }

    @Override
    public void close() {
        server.close();
        certificates.close();
    }
}
