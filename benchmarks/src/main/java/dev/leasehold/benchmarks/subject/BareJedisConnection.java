package dev.leasehold.benchmarks.subject;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.RedisProtocol;

/** One Jedis connection, with the protocol of Leasehold's own. It is the lowest level that Jedis offers. */
final class BareJedisConnection implements BareWire {

    private final Connection connection;

    BareJedisConnection(String uri) {
        URI server = URI.create(uri);
        connection = new Connection(
                new HostAndPort(server.getHost(), server.getPort()),
                DefaultJedisClientConfig.builder().protocol(RedisProtocol.RESP2).build());
    }

    @Override
    public String load(String script) {
        Object digest = connection.executeCommand(
                new CommandArguments(Command.SCRIPT).add("LOAD").add(script));
        return text(digest);
    }

    @Override
    public List<String> list(String digest, String[] keys, String[] args) {
        CommandArguments command =
                new CommandArguments(Command.EVALSHA).add(digest).add(keys.length);
        for (String key : keys) {
            command.key(key);
        }
        for (String arg : args) {
            command.add(arg);
        }
        Object reply = connection.executeCommand(command);
        if (!(reply instanceof List<?> answer)) {
            // The most frequent answers are texts, which Redis sends faster than lists.
            return List.of(text(reply));
        }
        List<String> texts = new ArrayList<>(answer.size());
        for (Object each : answer) {
            texts.add(text(each));
        }
        return texts;
    }

    private static String text(Object reply) {
        return reply instanceof byte[] bytes ? new String(bytes, StandardCharsets.UTF_8) : String.valueOf(reply);
    }

    @Override
    public void close() {
        connection.close();
    }
}
