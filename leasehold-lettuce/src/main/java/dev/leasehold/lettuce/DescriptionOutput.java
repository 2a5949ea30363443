package dev.leasehold.lettuce;

import dev.leasehold.spi.RedisNode;
import dev.leasehold.spi.ServerDescription;
import dev.leasehold.spi.ServerDescription.Capability;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.CommandOutput;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Decodes the reply of {@code INFO} into a description of a single server. */
final class DescriptionOutput extends CommandOutput<String, String, ServerDescription> {

    private static final Pattern VERSION = Pattern.compile("(\\d{1,4})\\.(\\d{1,4})");

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
        Set<Capability> all = EnumSet.noneOf(Capability.class);
        all.addAll(capabilities);
        if (hasWaitaof(info.getOrDefault("redis_version", ""))) {
            all.add(Capability.WAITS_FOR_DISKS);
        }
        output = new ServerDescription(version, List.of(node.apply(primary)), all);
    }

    /** From Redis 7.2 on, with which every Valkey says it is compatible. */
    private static boolean hasWaitaof(String version) {
        Matcher parts = VERSION.matcher(version);
        if (!parts.lookingAt()) {
            return false;
        }
        int major = Integer.parseInt(parts.group(1));
        return major > 7 || (major == 7 && Integer.parseInt(parts.group(2)) >= 2);
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
