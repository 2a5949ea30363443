package dev.leasehold.internal.client;

import java.util.Map;

/**
 * Which server it is.
 *
 * @param product Redis or Valkey
 * @param version its own
 * @param major of the Redis with which it is compatible
 * @param minor the same
 */
record ServerVersion(String product, String version, int major, int minor) {

    /** From the section {@code server} of INFO. */
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

    /** Whether it can do what this Redis can. Valkey counts on from 7.2. */
    boolean atLeast(int wantedMajor, int wantedMinor) {
        return major > wantedMajor || (major == wantedMajor && minor >= wantedMinor);
    }

    @Override
    public String toString() {
        return product + " " + version;
    }
}
