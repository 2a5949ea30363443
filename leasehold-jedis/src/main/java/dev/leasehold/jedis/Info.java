package dev.leasehold.jedis;

import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.RedisNode;
import dev.leasehold.spi.ServerDescription;
import dev.leasehold.spi.ServerDescription.Capability;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol.Command;

/** The INFO of a server. */
final class Info {

    static final CommandArguments COMMAND = new CommandArguments(Command.INFO);

    /** The server's end of the connection, in the words of {@code CLIENT INFO}. */
    private static final Pattern OWN_ADDRESS = Pattern.compile("\\bladdr=\\[?([^ ]+?)]?:([0-9]+)\\b");

    private static final Pattern SINCE_SEVEN = Pattern.compile("^([7-9]|[1-9]\\d)\\.");

    private final Map<String, String> fields = new HashMap<>();

    private Info(String text) {
        text.lines().forEach(line -> {
            int colon = line.indexOf(':');
            if (colon > 0) {
                fields.put(line.substring(0, colon), line.substring(colon + 1));
            }
        });
    }

    static Info of(@Nullable Object reply) {
        return new Info(String.valueOf(reply));
    }

    /** Valkey counts on from the last Redis it is compatible with, and says its own version beside it. */
    String version() {
        return fields.getOrDefault("valkey_version", fields.getOrDefault("redis_version", "unknown"));
    }

    /** Redis has channels of shards since 7.0, and Valkey from its beginning. */
    boolean hasShardChannels() {
        return SINCE_SEVEN.matcher(fields.getOrDefault("redis_version", "")).find();
    }

    ServerDescription describe(RedisNode server, Set<Capability> capabilities) {
        boolean primary = "master".equals(fields.getOrDefault("role", "master"));
        return new ServerDescription(
                version(), List.of(new RedisNode(server.host(), server.port(), primary)), capabilities);
    }

    /** The whole text; empty where INFO is forbidden. */
    static String text(CallerExchanges of, long timeoutNanos) {
        try {
            return of.ask(timeoutNanos, talk -> String.valueOf(Replies.nested(talk.ask(COMMAND))));
        } catch (RedisErrorException e) {
            if (!e.code().equals("NOPERM")) {
                throw e;
            }
            return "";
        }
    }

    /** Returns the address that the server reports, if the user may read it. */
    static RedisNode ownAddress(CommandExchange talk) {
        String client = "";
        try {
            client = String.valueOf(Replies.nested(talk.ask(Commands.of(List.of("CLIENT", "INFO")))));
        } catch (RedisErrorException e) {
            // The user may not, or the server is older than 6.2; nothing depends on it but messages.
            client = "";
        }
        Matcher address = OWN_ADDRESS.matcher(client);
        return address.find()
                ? new RedisNode(address.group(1), Integer.parseInt(address.group(2)), true)
                : new RedisNode("unknown", 0, true);
    }
}
