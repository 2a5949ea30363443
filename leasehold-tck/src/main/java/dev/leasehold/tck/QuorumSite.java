package dev.leasehold.tck;

import dev.leasehold.Leasehold;
import dev.leasehold.LeaseholdBuilder;
import dev.leasehold.LeaseholdBuilder.Preflight;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.EmbeddedRedisBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Five independent servers, one of them in trouble. */
final class QuorumSite implements Site {

    private static final int SERVERS = 5;
    private static final String MARKER = "leasehold:quorum";

    private final List<EmbeddedRedis> servers = new ArrayList<>();

    /** What befell the last of them. */
    enum Trouble {
        DEAD,
        FROZEN
    }

    QuorumSite(EmbeddedRedisBuilder settings, Trouble trouble) {
        for (int i = 0; i < SERVERS; i++) {
            servers.add(settings.start());
        }
        builder(server().uri()).preflight(Preflight.OFF).build().close();
        servers.forEach(QuorumSite::letCount);
        EmbeddedRedis last = servers.get(SERVERS - 1);
        if (trouble == Trouble.DEAD) {
            last.kill();
        } else {
            last.pause();
        }
    }

    /** A new server counts when the longest lease is over: for this one it is. */
    private static void letCount(EmbeddedRedis server) {
        String[] words =
                Objects.requireNonNull(server.command("GET", MARKER)).toString().split(" ", -1);
        words[1] = String.valueOf(Long.parseLong(words[1]) - Long.parseLong(words[2]));
        server.command("SET", MARKER, String.join(" ", words));
    }

    @Override
    public EmbeddedRedis server() {
        return servers.get(0);
    }

    @Override
    public LeaseholdBuilder builder(String uri) {
        return Leasehold.builder()
                .quorum(servers.stream().map(EmbeddedRedis::uri).toArray(String[]::new));
    }

    /** Keys stay: without its marker a server would not count. */
    @Override
    public void restore() {}

    /** Connections that a stopped server does not take would fill its queue in the end. */
    @Override
    public void renew() {
        EmbeddedRedis last = servers.get(SERVERS - 1);
        if (last.isPaused()) {
            last.resume();
            last.command("PING");
            last.pause();
        }
    }

    @Override
    public void close() {
        servers.forEach(EmbeddedRedis::close);
    }
}
