package dev.leasehold.spi;

import java.util.List;

/**
 * One call of a script. All keys lie in one slot, unless the servers were described as able to take others
 * ({@link ServerDescription.Capability#CALLS_ACROSS_SLOTS}).
 *
 * @param script what to run
 * @param keys KEYS
 * @param args ARGV
 * @param timeoutNanos for how long the caller waits for the answer. An adapter that blocks must not block longer; one
 *     that answers later may leave the time-out to the caller, who cancels the stage's future
 */
public record ScriptCall(Script script, List<String> keys, List<String> args, long timeoutNanos) {}
