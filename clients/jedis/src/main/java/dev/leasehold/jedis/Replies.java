package dev.leasehold.jedis;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.args.Rawable;
import redis.clients.jedis.commands.ProtocolCommand;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.util.KeyValue;

/** Commands as Jedis sends them, and what it makes of replies, in either version of the protocol. */
final class Replies {

    /** Names of commands, and digests of scripts, of which there are few. */
    private static final Map<String, Word> FREQUENT = new ConcurrentHashMap<>();

    private static final String EVALSHA = "EVALSHA";

    private Replies() {}

    /** A word as it is sent: Jedis would copy its bytes once more. */
    private static final class Word implements Rawable, ProtocolCommand {
        private final byte[] bytes;

        Word(String word) {
            bytes = word.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public byte[] getRaw() {
            return bytes;
        }
    }

    static CommandArguments arguments(List<String> words) {
        CommandArguments arguments = new CommandArguments(frequent(words.get(0)));
        int next = 1;
        if (words.get(0).equals(EVALSHA)) {
            arguments.add(frequent(words.get(1)));
            next = 2;
        }
        for (int i = next; i < words.size(); i++) {
            arguments.add(new Word(words.get(i)));
        }
        return arguments;
    }

    private static Word frequent(String word) {
        Word known = FREQUENT.get(word);
        if (known == null) {
            known = new Word(word);
            FREQUENT.put(word, known);
        }
        return known;
    }

    /** Returns a reply as String, Long, null, or a List of these; a map as the list of its keys and values. */
    static @Nullable Object nested(@Nullable Object reply) {
        if (!(reply instanceof Collection<?> list)) {
            return element(reply);
        }
        List<@Nullable Object> elements = new ArrayList<>(list.size());
        for (Object each : list) {
            if (each instanceof KeyValue<?, ?> entry) {
                elements.add(nested(entry.getKey()));
                elements.add(nested(entry.getValue()));
            } else {
                elements.add(nested(each));
            }
        }
        return elements;
    }

    private static @Nullable Object element(@Nullable Object reply) {
        if (reply instanceof byte[] bytes) {
            return new String(bytes, StandardCharsets.UTF_8);
        }
        if (reply instanceof Boolean truth) {
            return truth ? 1L : 0L;
        }
        if (reply instanceof JedisDataException error) {
            return Failures.refusal(error);
        }
        return reply == null || reply instanceof Long ? reply : reply.toString();
    }
}
