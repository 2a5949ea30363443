package dev.leasehold.tck;

import dev.leasehold.Leasehold;
import dev.leasehold.LeaseholdBuilder;
import dev.leasehold.LeaseholdBuilder.Preflight;
import dev.leasehold.testkit.EmbeddedQuorum;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.EmbeddedRedisBuilder;

/** Five independent servers, one of them failing. */
final class QuorumSite implements Site {

    private static final int SERVERS = 5;

    private final EmbeddedQuorum servers;

    /** The failure of the last server. */
    enum Trouble {
        DEAD,
        FROZEN
    }

    QuorumSite(EmbeddedRedisBuilder settings, Trouble trouble) {
        servers = EmbeddedQuorum.builder().servers(SERVERS).settings(settings).start();
        builder(server().uri()).preflight(Preflight.OFF).build().close();
        servers.letCount();
        EmbeddedRedis last = servers.nodes().get(SERVERS - 1);
        if (trouble == Trouble.DEAD) {
            last.kill();
        } else {
            last.pause();
        }
    }

    @Override
    public EmbeddedRedis server() {
        return servers.nodes().get(0);
    }

    @Override
    public LeaseholdBuilder builder(String uri) {
        return Leasehold.builder().quorum(servers.uris().toArray(String[]::new));
    }

    /** Keeps the keys: without its marker a server would not count. */
    @Override
    public void restore() {}

    /** Starts fresh servers: connections that a stopped server does not accept would fill its queue in the end. */
    @Override
    public void renew() {
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
