package dev.leasehold.internal.check;

import java.util.Map;

/**
 * The product and version of a server.
 *
 * @param product its name, such as Redis or Valkey
 * @param version the product's version
 * @param major the major version of the compatible Redis
 * @param minor the minor version of the compatible Redis
 */
record ServerVersion(String product, String version, int major, int minor) {

    /** The fields in which servers that are compatible with Redis name their own version. */
    private static final Map<String, String> OWN_VERSIONS = Map.of(
            "valkey_version", "Valkey",
            "dragonfly_version", "Dragonfly",
            "garnet_version", "Garnet",
            "upstash_version", "Upstash");

    /** Parses the section {@code server} of INFO. */
    static ServerVersion of(Map<String, String> info) {
        String redis = info.getOrDefault("redis_version", "0");
        String own = OWN_VERSIONS.keySet().stream()
                .filter(info::containsKey)
                .findFirst()
                .orElse("redis_version");
        String[] parts = redis.split("\\.", -1);
        return new ServerVersion(
                OWN_VERSIONS.getOrDefault(own, "Redis"),
                info.getOrDefault(own, redis),
                number(parts[0]),
                parts.length > 1 ? number(parts[1]) : 0);
    }

    private static int number(String text) {
        return text.chars().allMatch(Character::isDigit) && !text.isEmpty() ? Integer.parseInt(text) : 0;
    }

    /**
     * Returns whether the server is compatible with this version of Redis or a later one. Valkey continues from 7.2.
     */
    boolean atLeast(int wantedMajor, int wantedMinor) {
        return major > wantedMajor || (major == wantedMajor && minor >= wantedMinor);
    }

    @Override
    public String toString() {
        return product + " " + version;
    }
}
