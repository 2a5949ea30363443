package dev.leasehold.tck;

import dev.leasehold.Leasehold;
import dev.leasehold.LeaseholdBuilder;
import dev.leasehold.LeaseholdBuilder.Preflight;
import dev.leasehold.testkit.EmbeddedQuorum;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.EmbeddedRedisBuilder;
import java.util.ArrayList;
import java.util.List;

/** Five independent servers, one of them failing. */
final class QuorumSite implements Site {

    private static final int SERVERS = 5;

    /** By this key a server counts. */
    private static final String MARKER = "leasehold:quorum";

    private final EmbeddedQuorum servers;

    /** The failure of the last server. */
    enum Trouble {
        DEAD,
        FROZEN
    }

    QuorumSite(EmbeddedRedisBuilder settings, Trouble trouble) {
        servers = EmbeddedQuorum.builder().servers(SERVERS).settings(settings).start();
        letCount();
        EmbeddedRedis last = servers.nodes().get(SERVERS - 1);
        if (trouble == Trouble.DEAD) {
            last.kill();
        } else {
            last.pause();
        }
    }

    private void letCount() {
        builder(server().uri()).preflight(Preflight.OFF).build().close();
        servers.letCount();
    }

    @Override
    public Topology topology() {
        return servers.nodes().get(SERVERS - 1).isRunning() ? Topology.QUORUM_ONE_FROZEN : Topology.QUORUM_ONE_DEAD;
    }

    @Override
    public EmbeddedRedis server() {
        return servers.nodes().get(0);
    }

    @Override
    public List<EmbeddedRedis> servers(String key) {
        return running();
    }

    private List<EmbeddedRedis> running() {
        return servers.nodes().subList(0, SERVERS - 1);
    }

    @Override
    public int majority() {
        return SERVERS / 2 + 1;
    }

    @Override
    public List<FaultProxy> proxies() {
        return running().stream()
                .map(server -> FaultProxy.before(server.port()))
                .toList();
    }

    /** Returns a builder for all servers, the first ones at these URIs, separated by blanks. */
    @Override
    public LeaseholdBuilder builder(String uri) {
        List<String> uris = new ArrayList<>(List.of(uri.split(" ")));
        uris.addAll(servers.uris().subList(uris.size(), SERVERS));
        return Leasehold.builder().quorum(uris.toArray(String[]::new));
    }

    @Override
    public String address() {
        return String.join(" ", servers.uris());
    }

    /** Keeps the markers: without them the servers would not count. */
    @Override
    public void deleteAll() {
        for (EmbeddedRedis server : running()) {
            for (Object key : ContractBase.list(server.command("KEYS", "*"))) {
                if (!key.equals(MARKER)) {
                    server.command("DEL", key.toString());
                }
            }
        }
    }

    @Override
    public void restore() {
        for (EmbeddedRedis server : running()) {
            if (server.isPaused()) {
                server.resume();
            }
        }
        deleteAll();
        if (running().stream().anyMatch(server -> server.command("GET", MARKER) == null)) {
            letCount();
        }
    }

    /** Starts fresh servers: connections that a stopped server does not accept would fill its queue in the end. */
    @Override
    public void renew() {
        restore();
        EmbeddedRedis last = servers.nodes().get(SERVERS - 1);
        if (last.isPaused()) {
            last.resume();
            last.command("PING");
            last.pause();
        }
    }

    @Override
    public void close() {
        servers.close();
    }
}
