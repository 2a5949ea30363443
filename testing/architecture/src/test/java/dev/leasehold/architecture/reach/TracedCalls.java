package dev.leasehold.architecture.reach;

import java.nio.file.Path;
import java.util.List;

/** The files that GraalVM's tracing agent wrote, as what the libraries reach. The agent has left out what an image prepares itself. */
final class TracedCalls {

    /** Types of other libraries or the JDK that only these libraries ask for; others may be of Lettuce, Jedis or picocli. */
    private static final List<String> OF_OTHERS =
            List.of("io.lettuce.core.RedisClient", "redis.clients.jedis.Connection", "sun.misc.Signal");

    private TracedCalls() {}

    /** Returns what the agent has seen of these libraries. It names no callers. */
    static List<Access> of(Path directory, Libraries libraries) {
        return Metadata.in(List.of(directory)).accesses("the tracing agent").stream()
                .filter(access -> RecordedCalls.isOf(libraries, access)
                        || OF_OTHERS.stream().anyMatch(access.owner()::startsWith)
                        || access.owner().equals("redis.clients.jedis.UnifiedJedis"))
                .toList();
    }
}
