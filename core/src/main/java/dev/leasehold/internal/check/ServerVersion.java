package dev.leasehold.internal.check;

import java.util.Map;

/**
 * The product and version of a server.
 *
 * @param product Redis or Valkey
 * @param version the product's version
 * @param major the major version of the compatible Redis
 * @param minor the minor version of the compatible Redis
 */
record ServerVersion(String product, String version, int major, int minor) {

    /** Parses the section {@code server} of INFO. */
    static ServerVersion of(Map<String, String> info) {
        String redis = info.getOrDefault("redis_version", "0");
        String valkey = info.get("valkey_version");
        String[] parts = redis.split("\\.", -1);
        return new ServerVersion(
                valkey == null ? "Redis" : "Valkey",
                valkey == null ? redis : valkey,
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
