package dev.leasehold.springdata;

import dev.leasehold.spi.RedisNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The INFO of a server. */
final class Info {

    static final Request REQUEST = Request.of(List.of("INFO"));
    static final Request CLIENT_REQUEST = Request.of(List.of("CLIENT", "INFO"));

    /** The server's end of the connection, in the words of {@code CLIENT INFO}. */
    private static final Pattern OWN_ADDRESS = Pattern.compile("\\bladdr=\\[?([^ ]+?)]?:([0-9]+)\\b");

    private final Map<String, String> fields = new HashMap<>();

    private Info(String text) {
        text.lines().forEach(line -> {
            int colon = line.indexOf(':');
            if (colon > 0) {
                fields.put(line.substring(0, colon), line.substring(colon + 1));
            }
        });
    }

    static Info of(@Nullable Object reply) {
        return new Info(String.valueOf(reply));
    }

    /** Valkey counts on from the last Redis it is compatible with, and says its own version beside it. */
    String version() {
        return fields.getOrDefault("valkey_version", fields.getOrDefault("redis_version", "unknown"));
    }

    boolean isPrimary() {
        return "master".equals(fields.getOrDefault("role", "master"));
    }

    boolean isOfCluster() {
        return "1".equals(fields.get("cluster_enabled"));
    }

    /** Returns the address that the server reports; only messages depend on it. */
    static RedisNode ownAddress(@Nullable Object reply) {
        Matcher address = OWN_ADDRESS.matcher(String.valueOf(reply));
        return address.find()
                ? new RedisNode(address.group(1), Integer.parseInt(address.group(2)), true)
                : new RedisNode("unknown", 0, true);
    }
}
