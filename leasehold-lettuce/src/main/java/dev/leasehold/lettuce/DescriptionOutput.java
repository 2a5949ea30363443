package dev.leasehold.lettuce;

import dev.leasehold.spi.RedisNode;
import dev.leasehold.spi.ServerDescription;
import dev.leasehold.spi.ServerDescription.Capability;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.CommandOutput;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Decodes the reply of {@code INFO} into a description of a single server. */
final class DescriptionOutput extends CommandOutput<String, String, ServerDescription> {

    private final Function<Boolean, RedisNode> node;
    private final Set<Capability> capabilities;

    /**
     * Creates an output for one reply.
     *
     * @param node the server that is asked, given whether it is a primary
     * @param capabilities what client and server can do together
     */
    DescriptionOutput(Function<Boolean, RedisNode> node, Set<Capability> capabilities) {
        super(StringCodec.UTF8, new ServerDescription("", List.of(), Set.of()));
        this.node = node;
        this.capabilities = capabilities;
    }

    @Override
    public void set(@Nullable ByteBuffer bytes) {
        Map<String, String> info = fields(bytes == null ? "" : StringsOutput.text(bytes));
        // Valkey counts on from the last Redis it is compatible with, and says its own version beside it.
        String version = info.getOrDefault("valkey_version", info.getOrDefault("redis_version", "unknown"));
        boolean primary = "master".equals(info.getOrDefault("role", "master"));
        output = new ServerDescription(version, List.of(node.apply(primary)), capabilities);
    }

    private static Map<String, String> fields(String info) {
        Map<String, String> fields = new HashMap<>();
        info.lines().forEach(line -> {
            int colon = line.indexOf(':');
            if (colon > 0) {
                fields.put(line.substring(0, colon), line.substring(colon + 1));
            }
        });
        return fields;
    }
}
