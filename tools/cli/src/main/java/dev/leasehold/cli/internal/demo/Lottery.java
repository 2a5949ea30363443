package dev.leasehold.cli.internal.demo;

import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;

/**
 * The resource that the lock guards: the winners of each draw, stored in Redis under keys of the demonstration. A
 * guarded write is refused if a write with a higher token came before. An unguarded write is always accepted, as in a
 * table without a fence.
 */
final class Lottery implements AutoCloseable {

    static final int TICKETS = 1000;
    static final int PRIZES = 10;
    static final String LOCK = "lottery";

    private static final long TTL_SECONDS = 600;
    private static final String GUARDED_WRITE = """
            local seen = tonumber(redis.call('HGET', KEYS[1], 'fence') or '0')
            if tonumber(ARGV[1]) < seen then return 0 end
            redis.call('HSET', KEYS[1], 'fence', ARGV[1], 'winners', ARGV[2])
            redis.call('EXPIRE', KEYS[1], ARGV[3])
            return 1
            """;

    private final String prefix;
    private final DemoConnection connection;

    private Lottery(String prefix, DemoConnection connection) {
        this.prefix = prefix;
        this.connection = connection;
    }

    /** Connects to the server of a URI; all keys begin with the prefix. */
    static Lottery open(String uri, String prefix) {
        return new Lottery(prefix, DemoConnection.open(uri));
    }

    /** Draws {@code count} different tickets that are not in {@code drawn}. */
    static List<Integer> draw(int count, List<Integer> drawn) {
        return ThreadLocalRandom.current()
                .ints(1, TICKETS + 1)
                .distinct()
                .filter(ticket -> !drawn.contains(ticket))
                .limit(count)
                .boxed()
                .toList();
    }

    boolean isDrawn(int draw) {
        return redis().exists(key(draw)) > 0;
    }

    /** Writes the winners unless a write with a higher token came before. */
    boolean write(int draw, long token, List<Integer> winners) {
        Long accepted = redis().eval(
                        GUARDED_WRITE,
                        ScriptOutputType.INTEGER,
                        new String[] {key(draw)},
                        String.valueOf(token),
                        join(winners),
                        String.valueOf(TTL_SECONDS));
        return accepted == 1;
    }

    /** Overwrites the winners unconditionally. */
    void writeUnguarded(int draw, List<Integer> winners) {
        redis().hset(key(draw), Map.of("winners", join(winners)));
        redis().expire(key(draw), TTL_SECONDS);
    }

    /** Returns the stored winners, or an empty text. */
    String winners(int draw) {
        String winners = redis().hget(key(draw), "winners");
        return winners == null ? "" : winners;
    }

    /** Deletes every key of the demonstration, including the lock's. */
    void clean() {
        redis().del(key(1), key(2), key(3), prefix + ":{" + LOCK + "}");
    }

    static String join(List<Integer> winners) {
        return winners.stream().map(String::valueOf).collect(Collectors.joining(", "));
    }

    private RedisCommands<String, String> redis() {
        return connection.redis();
    }

    private String key(int draw) {
        return prefix + "-draw-" + draw;
    }

    @Override
    public void close() {
        connection.close();
    }
}
