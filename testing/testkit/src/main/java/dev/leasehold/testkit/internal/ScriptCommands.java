package dev.leasehold.testkit.internal;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The commands that a running script may call. */
public interface ScriptCommands {

    /** Runs a command for the script: String, Long, null, List, {@link StatusReply} or {@link ErrorReply}. */
    @Nullable
    Object call(List<String> args);
}
