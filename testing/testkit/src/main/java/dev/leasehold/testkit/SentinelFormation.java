package dev.leasehold.testkit;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Starts a primary with its replicas, and sentinels that know all of them from their start. */
final class SentinelFormation {

    private static final int ID_BYTES = 20;

    /** Attempts to start on a free port. Another process may take a port between its choice and its use. */
    private static final int PORT_TRIES = 10;

    private final SentinelGroup group;
    private final EmbeddedRedisBuilder settings;
    private final List<EmbeddedRedis> nodes = new ArrayList<>();
    private final List<EmbeddedRedis> sentinels = new ArrayList<>();

    SentinelFormation(SentinelGroup group, EmbeddedRedisBuilder settings) {
        this.group = group;
        this.settings = settings.under(group);
    }

    EmbeddedSentinel form(int replicas, int watchers) {
        try {
            startNodes(replicas);
            startSentinels(watchers);
            SentinelView view = new SentinelView(group.primaryName(), nodes, sentinels);
            view.await("all sentinels and replicas are there", view::isHealthy);
            return new EmbeddedSentinel(group.primaryName(), nodes, sentinels, view);
        } catch (RuntimeException | Error e) {
            sentinels.forEach(EmbeddedRedis::close);
            nodes.forEach(EmbeddedRedis::close);
            throw e;
        }
    }

    private void startNodes(int replicas) {
        for (int i = 0; i <= replicas; i++) {
            nodes.add(settings.start());
        }
        EmbeddedRedis primary = nodes.get(0);
        for (EmbeddedRedis replica : nodes.subList(1, nodes.size())) {
            replica.command("REPLICAOF", primary.host(), String.valueOf(primary.port()));
            // The server stays a replica after a restart.
            replica.command("CONFIG", "REWRITE");
        }
    }

    private void startSentinels(int count) {
        for (int i = 1; ; i++) {
            try {
                startSentinels(ports(count));
                return;
            } catch (EmbeddedRedisException e) {
                sentinels.forEach(EmbeddedRedis::close);
                sentinels.clear();
                if (i == PORT_TRIES || !String.valueOf(e.getMessage()).contains("in use")) {
                    throw e;
                }
            }
        }
    }

    private void startSentinels(Map<String, Integer> ports) {
        ports.forEach((id, port) -> {
            EmbeddedRedis sentinel =
                    group.sentinel(id, port, nodes, ports, settings).start();
            sentinels.add(sentinel);
            SentinelGroup.hurry(sentinel);
        });
    }

    private static Map<String, Integer> ports(int count) {
        Map<String, Integer> ports = new LinkedHashMap<>();
        while (ports.size() < count) {
            int port = FreePorts.next();
            if (!ports.containsValue(port)) {
                ports.put(Secrets.hex(ID_BYTES), port);
            }
        }
        return ports;
    }
}
