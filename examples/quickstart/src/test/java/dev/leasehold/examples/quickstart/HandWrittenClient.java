package dev.leasehold.examples.quickstart;

import dev.leasehold.testkit.EmbeddedRedis;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A client written from {@code docs/protocol.md} and the Lua files only: it shares no code with Leasehold. */
final class HandWrittenClient {

    private static final String SECOND = "1000000";

    private final EmbeddedRedis redis;
    private final String key;

    HandWrittenClient(EmbeddedRedis redis, String key) {
        this.redis = redis;
        this.key = key;
    }

    /** Returns the TIME of Redis in microseconds. */
    long time() {
        List<?> time = (List<?>) redis.command("TIME");
        return Long.parseLong(time.get(0) + "000000") + Long.parseLong(String.valueOf(time.get(1)));
    }

    /** Tries once to acquire the lock. */
    List<String> acquire(String id, String owner, long leaseSeconds, long notAfter) {
        return acquire(id, owner, leaseSeconds, notAfter, "", "0");
    }

    /** Tries to acquire the lock, and joins or stays in the queue. */
    List<String> acquire(String id, String owner, long leaseSeconds, long notAfter, String channel, String position) {
        return acquire(id, owner, leaseSeconds, notAfter, channel, position, "1", "0");
    }

    /** Tries with a number of reserved tokens, and joins or stays in the queue; fairly if {@code fair} is 1. */
    List<String> acquire(
            String id,
            String owner,
            long leaseSeconds,
            long notAfter,
            String channel,
            String position,
            String tokens,
            String fair) {
        List<String> args = new ArrayList<>(List.of(
                id,
                leaseSeconds + SECOND.substring(1),
                notAfter + "",
                "0",
                "60000",
                "1@elsewhere worker",
                "by hand",
                channel,
                position,
                tokens,
                fair));
        if (owner.equals(id)) {
            return call("acquire", args.toArray(String[]::new));
        }
        args.add(owner);
        return call("acquire_named", args.toArray(String[]::new));
    }

    /** Tries once to acquire a free lock by the script for that case. */
    List<String> acquireFree(String id, long leaseSeconds, long notAfter) {
        String lease = leaseSeconds + SECOND.substring(1);
        String expiry = leaseSeconds * 1000 + 60_001 + "";
        return call("acquire_free", id, lease, notAfter + "", "0", expiry, "1@elsewhere worker");
    }

    /** Tries once to acquire permits. */
    List<String> acquirePermits(String id, long leaseMicros, long notAfter, int permits, int total) {
        return call(
                "acquire_permits",
                id,
                leaseMicros + "",
                notAfter + "",
                "0",
                "60000",
                "1@elsewhere worker",
                "",
                "",
                "0",
                "1",
                "0",
                permits + "",
                total + "");
    }

    List<String> goOn(String id, long leaseSeconds, String position, int tokens) {
        return call("go_on", id, leaseSeconds + SECOND.substring(1), "60000", position, tokens + "");
    }

    List<String> renew(String id, long leaseSeconds) {
        return call("renew", id, leaseSeconds + SECOND.substring(1), "60000");
    }

    /** Renews this lock and others, each with the id of its hold. */
    List<String> renewMany(Map<String, String> idsByKey, long leaseSeconds) {
        List<String> args = new ArrayList<>(List.of(leaseSeconds + SECOND.substring(1), "60000"));
        args.addAll(idsByKey.values());
        return call("renew_many", List.copyOf(idsByKey.keySet()), args);
    }

    List<String> release(String id, long notAfter) {
        return call("release", id, notAfter + "", "60000", "0", "0");
    }

    /** Releases a hold that {@code acquire_free} granted. */
    List<String> releaseUsual(String id) {
        return call("release", id, "0", "60000", "0", "1");
    }

    List<String> forceRelease() {
        return call("force_release", time() + 2_000_000 + "", "0", "60000", "0");
    }

    List<String> leave(String position, String channel) {
        return call("leave", position, channel, "0", "");
    }

    private List<String> call(String script, String... args) {
        return call(script, List.of(key), List.of(args));
    }

    private List<String> call(String script, List<String> keys, List<String> args) {
        String[] command = Stream.of(
                        List.of("EVAL", LuaFiles.script(script), Integer.toString(keys.size())), keys, args)
                .flatMap(List::stream)
                .toArray(String[]::new);
        Object reply = redis.command(command);
        List<?> parts = reply instanceof List<?> list
                ? list
                : List.of(String.valueOf(reply).split(" "));
        return parts.stream().map(String::valueOf).collect(Collectors.toList());
    }
}
