package dev.leasehold.spi;

import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * What comes of a script that replicas are to have, too.
 *
 * @param reply what the script returned, as of {@link RedisTransport#eval}
 * @param replicas how many replicas have acknowledged all that this script wrote; on disk, how many servers have synced it,
 *     the one it ran on among them, and 0 if that one has not. It fails as a call of a script does, with
 *     {@link RedisErrorException} if the server refuses to tell
 */
public record DurableReply(CompletionStage<List<String>> reply, CompletionStage<Long> replicas) {}
