package dev.leasehold.internal.redis.server;

import dev.leasehold.internal.key.Names;
import dev.leasehold.spi.ServerDescription.Capability;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What the reply of {@code INFO}, or of {@code HELLO}, tells about a server.
 *
 * @param version its own version
 * @param primary whether it accepts writes
 * @param inCluster whether it is a node of a cluster
 * @param compatible the version of Redis that it is compatible with, as a number: 702 for 7.2; 0 if unknown
 */
public record ServerInfo(String version, boolean primary, boolean inCluster, int compatible) {

    private static final Pattern VERSION = Pattern.compile("(\\d{1,4})\\.(\\d{1,2})");
    private static final int PER_MAJOR = 100;
    private static final int SHARDED_PUBSUB = 700;
    private static final int TRACKING = 600;
    private static final int WAITAOF = 702;

    /** Nothing is known: such a server is taken for a primary that stands alone. */
    static final ServerInfo UNKNOWN = parse("");

    /** Reads the reply of INFO. */
    public static ServerInfo parse(String info) {
        Map<String, String> fields = new HashMap<>();
        info.lines().forEach(line -> {
            int colon = line.indexOf(':');
            if (colon > 0) {
                fields.put(line.substring(0, colon), line.substring(colon + 1));
            }
        });
        // Valkey counts on from the last Redis it is compatible with, and reports its own version besides.
        String redis = fields.getOrDefault("redis_version", "unknown");
        return new ServerInfo(
                Names.escape(fields.getOrDefault("valkey_version", redis)),
                "master".equals(fields.getOrDefault("role", "master")),
                "1".equals(fields.get("cluster_enabled")),
                number(redis));
    }

    /** Reads the reply of HELLO: names, each followed by its value. */
    static ServerInfo ofHello(@Nullable Object reply) {
        Map<String, String> fields = new HashMap<>();
        if (reply instanceof List<?> words) {
            for (int i = 0; i + 1 < words.size(); i += 2) {
                fields.put(String.valueOf(words.get(i)), String.valueOf(words.get(i + 1)));
            }
        }
        String version = fields.getOrDefault("version", "unknown");
        return new ServerInfo(
                Names.escape(version),
                "master".equals(fields.getOrDefault("role", "master")),
                "cluster".equals(fields.get("mode")),
                "valkey".equals(fields.get("server")) ? WAITAOF : number(version));
    }

    private static int number(String version) {
        Matcher parts = VERSION.matcher(version);
        return parts.lookingAt() ? Integer.parseInt(parts.group(1)) * PER_MAJOR + Integer.parseInt(parts.group(2)) : 0;
    }

    /** Returns whether a cluster of such servers has channels of shards. */
    public boolean hasShardChannels() {
        return compatible >= SHARDED_PUBSUB;
    }

    /** Returns whether it has CLIENT TRACKING. */
    boolean tracksKeys() {
        return compatible >= TRACKING;
    }

    Set<Capability> capabilities() {
        return compatible >= WAITAOF ? Set.of(Capability.WAITS_FOR_DISKS) : Set.of();
    }
}
