package dev.leasehold.spi;

import java.util.List;

/**
 * One call of a script. All keys belong to one slot, unless the servers support calls across slots
 * ({@link ServerDescription.Capability#CALLS_ACROSS_SLOTS}).
 *
 * @param script the script
 * @param keys KEYS
 * @param args ARGV
 * @param timeoutNanos how long the caller waits for the answer. An adapter that blocks must not block longer; an
 *     asynchronous adapter may leave the timeout to the caller, which cancels the stage's future
 */
public record ScriptCall(Script script, List<String> keys, List<String> args, long timeoutNanos) {}
