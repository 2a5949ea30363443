package dev.leasehold.benchmarks.subject;

import dev.leasehold.spi.ScriptCall;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** One connection for calls of Leasehold's scripts, one after another. Not thread-safe. */
public final class ScriptConnection implements AutoCloseable {

    private final BareWire wire;
    private final Set<String> loaded = new HashSet<>();

    /** Connects over Jedis, whose calls need no other thread. */
    public ScriptConnection(String uri) {
        wire = new BareJedisConnection(uri);
    }

    /** Loads the script of a call unless this connection has loaded it before. */
    public void load(ScriptCall call) {
        if (loaded.add(call.script().sha1())) {
            wire.load(call.script().body());
        }
    }

    /** Sends a call whose script is loaded, and returns the reply. */
    public List<String> send(ScriptCall call) {
        return wire.list(
                call.script().sha1(),
                call.keys().toArray(String[]::new),
                call.args().toArray(String[]::new));
    }

    @Override
    public void close() {
        wire.close();
    }
}
