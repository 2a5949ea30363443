package dev.leasehold.internal.script;

import dev.leasehold.internal.key.LockKey;
import dev.leasehold.spi.Script;
import dev.leasehold.spi.ScriptCall;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** {@code inspect.lua}: reads a lock without changing it. */
public final class InspectScript {

    /** The resource, as sent. */
    public static final Script SCRIPT = Scripts.load("inspect");

    private InspectScript() {}

    /** The outcomes; the header of the script says what each means. */
    public enum Code {
        LOCK,
        FOREIGN
    }

    /** A parsed reply. What does not belong to the code is empty. */
    public record Answer(Code code, ServerTime now, Map<String, String> fields, String found) {}

    /** The arguments in the order of the script. */
    public static ScriptCall call(LockKey key, long timeoutNanos) {
        return new ScriptCall(SCRIPT, List.of(key.key()), List.of(), timeoutNanos);
    }

    /** Reads a reply. */
    public static Answer parse(List<String> reply) {
        Code code = Reply.code(Code.class, reply);
        ServerTime now = Reply.now(reply);
        return switch (code) {
            case FOREIGN -> new Answer(code, now, Map.of(), Reply.text(reply, 2));
            case LOCK -> {
                Map<String, String> fields = new HashMap<>();
                for (int i = 2; i + 1 < reply.size(); i += 2) {
                    fields.put(reply.get(i), reply.get(i + 1));
                }
                yield new Answer(code, now, Map.copyOf(fields), "");
            }
        };
    }
}
