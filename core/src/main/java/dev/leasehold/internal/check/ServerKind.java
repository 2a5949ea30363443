package dev.leasehold.internal.check;

import dev.leasehold.diagnostics.Finding;
import dev.leasehold.diagnostics.Finding.Level;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A service or a server of its own kind, with the sentence that its users should know. It is recognised by the host name or by
 * the section {@code server} of INFO. The first that fits counts, so a service precedes the server that it runs. The table in
 * {@code docs/managed-services.md} has the sources.
 */
enum ServerKind {
    MEMORYDB(
            "memorydb\\.[a-z0-9-]+\\.amazonaws\\.com(\\.cn)?",
            "os=Amazon MemoryDB",
            Level.FINE,
            "Amazon MemoryDB answers a write when several availability zones have it in a log: a failover loses no lock.",
            ""),
    ELASTICACHE_SERVERLESS(
            "serverless\\.[a-z0-9-]+\\.cache\\.amazonaws\\.com(\\.cn)?",
            "",
            Level.WARNING,
            "Amazon ElastiCache Serverless evicts keys that have an expiry, as every lock has, when the cache reaches its "
                    + "storage limit, and no setting changes that.",
            "Set no maximum of storage, or an alarm well below it; or use nodes whose parameter group says noeviction."),
    ELASTICACHE(
            "cache\\.amazonaws\\.com(\\.cn)?",
            "os=Amazon ElastiCache",
            Level.FINE,
            "Amazon ElastiCache replicates asynchronously unless durability is on, and evicts keys that have an expiry "
                    + "unless its parameter group says maxmemory-policy noeviction.",
            ""),
    AZURE_MANAGED_REDIS(
            "redis\\.azure\\.net|redisenterprise\\.cache\\.azure\\.net",
            "",
            Level.FINE,
            "Azure Managed Redis evicts keys that have an expiry unless its eviction policy is NoEviction, and grants each "
                    + "lock once in every region if it has active geo-replication.",
            ""),
    AZURE_CACHE(
            "redis\\.cache\\.windows\\.net",
            "",
            Level.FINE,
            "Azure Cache for Redis evicts keys that have an expiry unless its maxmemory-policy is noeviction.",
            ""),
    REDIS_SOFTWARE(
            "redis-cloud\\.com|redislabs\\.com|rlrcp\\.com",
            "rlec_version",
            Level.FINE,
            "Redis Cloud and Redis Software evict keys that have an expiry unless the policy is noeviction, and grant each "
                    + "lock once in every region if the database is Active-Active.",
            ""),
    UPSTASH(
            "upstash\\.io",
            "upstash_version",
            Level.WARNING,
            "Upstash replicates asynchronously, and after a network partition the last write of two leaders wins: a lock may "
                    + "have two holders meanwhile.",
            "Check fencing tokens at the resource, and leave eviction disabled for the database."),
    DRAGONFLY(
            "",
            "dragonfly_version",
            Level.FINE,
            "Dragonfly runs scripts atomically unless its default_lua_flags contain disable-atomicity, and evicts nothing "
                    + "without cache_mode.",
            ""),
    GARNET(
            "",
            "garnet_version",
            Level.FINE,
            "Garnet runs scripts only with --lua, and atomically only with --lua-transaction-mode.",
            ""),
    KEYDB(
            "",
            "executable=keydb-server",
            Level.FINE,
            "KeyDB keeps locks like the Redis that it comes from, but not with active-replica or multi-master.",
            ""),
    VALKEY("", "valkey_version", Level.FINE, "Valkey keeps locks like Redis.", ""),
    /** Redis, or what takes itself for it. */
    REDIS("", "", Level.FINE, "", "");

    private final String domains;
    private final String sign;
    private final Level level;
    private final String sentence;
    private final String remedy;

    /**
     * Creates a kind.
     *
     * @param domains a pattern of the domains of its hosts; empty if they do not tell
     * @param sign a field of INFO that no other kind has, or a field and the end of its value with a = between; empty if there
     *     is none
     */
    ServerKind(String domains, String sign, Level level, String sentence, String remedy) {
        this.domains = domains;
        this.sign = sign;
        this.level = level;
        this.sentence = sentence;
        this.remedy = remedy;
    }

    /**
     * Recognises a server.
     *
     * @param hosts the names by which it is reached
     * @param info the section {@code server} of its INFO; empty if it is not known
     */
    static ServerKind of(List<String> hosts, Map<String, String> info) {
        return Arrays.stream(values())
                .filter(kind -> kind.isNamedIn(info) || hosts.stream().anyMatch(kind::isServiceOf))
                .findFirst()
                .orElse(REDIS);
    }

    /** Returns what users of such a server should know; nothing for Redis. */
    List<Finding> findings() {
        return sentence.isEmpty() ? List.of() : List.of(new Finding(level, "service", sentence, remedy));
    }

    /** Returns whether an answered write survives the loss of the primary and a restart. */
    boolean durable() {
        return this == MEMORYDB;
    }

    /** Returns whether a database may be the member of a group in which every member takes writes. */
    boolean mayBeActiveActive() {
        return this == REDIS_SOFTWARE || this == AZURE_MANAGED_REDIS;
    }

    /** Returns whether the atomicity of scripts depends on how the server was started. */
    boolean mayRunScriptsInParts() {
        return this == GARNET || this == DRAGONFLY;
    }

    private boolean isServiceOf(String host) {
        return !domains.isEmpty() && host.toLowerCase(Locale.ROOT).matches(".+\\.(" + domains + ")\\.?");
    }

    private boolean isNamedIn(Map<String, String> info) {
        int end = sign.indexOf('=');
        return end < 0
                ? info.containsKey(sign)
                : info.getOrDefault(sign.substring(0, end), "").endsWith(sign.substring(end + 1));
    }
}
