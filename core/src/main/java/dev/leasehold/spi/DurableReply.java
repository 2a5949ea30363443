package dev.leasehold.spi;

import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * The results of a script call that waits for replicas.
 *
 * @param reply the reply of the script, as for {@link RedisTransport#eval}
 * @param replicas the number of replicas that acknowledged all writes of this script. On disk: the number of servers
 *     that synced them, including the server that ran the script, and 0 if that server did not. Fails as a script call
 *     does, with {@link RedisErrorException} if the server refuses {@code WAIT}
 */
public record DurableReply(CompletionStage<List<String>> reply, CompletionStage<Long> replicas) {}
