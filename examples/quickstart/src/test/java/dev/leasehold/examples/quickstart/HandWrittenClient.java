package dev.leasehold.examples.quickstart;

import dev.leasehold.testkit.EmbeddedRedis;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A client that knows nothing but {@code docs/protocol.md} and the Lua files: it shares no code with Leasehold. */
final class HandWrittenClient {

    private static final String SECOND = "1000000";

    private final EmbeddedRedis redis;
    private final String key;

    HandWrittenClient(EmbeddedRedis redis, String key) {
        this.redis = redis;
        this.key = key;
    }

    /** Redis TIME in microseconds. */
    long time() {
        List<?> time = (List<?>) redis.command("TIME");
        return Long.parseLong(time.get(0) + "000000") + Long.parseLong(String.valueOf(time.get(1)));
    }

    /** Tries once. */
    List<String> acquire(String id, String owner, long leaseSeconds, long notAfter) {
        return acquire(id, owner, leaseSeconds, notAfter, "", "0");
    }

    /** Tries, and takes or keeps a place in the queue. */
    List<String> acquire(String id, String owner, long leaseSeconds, long notAfter, String channel, String place) {
        return call(
                "acquire",
                id,
                owner,
                leaseSeconds + SECOND.substring(1),
                notAfter + "",
                "0",
                "60000",
                "1@elsewhere worker",
                "by hand",
                channel,
                place,
                "1",
                "0");
    }

    List<String> renew(String id, long leaseSeconds) {
        return call("renew", id, leaseSeconds + SECOND.substring(1), "60000");
    }

    List<String> release(String id, long notAfter) {
        return call("release", id, notAfter + "", "60000", "0");
    }

    List<String> forceRelease() {
        return call("force_release", "60000", "0");
    }

    List<String> leave(String place, String channel) {
        return call("leave", place, channel, "0");
    }

    private List<String> call(String script, String... args) {
        String[] command = Stream.concat(Stream.of("EVAL", LuaFiles.script(script), "1", key), Stream.of(args))
                .toArray(String[]::new);
        return ((List<?>) redis.command(command)).stream().map(String::valueOf).collect(Collectors.toList());
    }
}
