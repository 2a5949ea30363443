package dev.leasehold.internal.redis.server;

import dev.leasehold.internal.redis.path.PendingCommand;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The command that counts the servers that have the previous writes of its connection. It is sent with these writes, in
 * one flush.
 */
public final class WaitCommand extends PendingCommand<Long> {

    private WaitCommand(List<String> words) {
        super(words);
    }

    /** Answered with how many replicas have received the writes, or how many servers have them on disk. */
    public static WaitCommand of(boolean onDisk, int replicas, long withinMillis) {
        String count = Integer.toString(replicas);
        String limit = Long.toString(withinMillis);
        return new WaitCommand(onDisk ? List.of("WAITAOF", "1", count, limit) : List.of("WAIT", count, limit));
    }

    /** Returns the same command, not sent yet. */
    WaitCommand again() {
        return new WaitCommand(words());
    }

    /**
     * One number, of replicas; or two, first whether the server itself has it on disk, then how many replicas have. Without
     * itself none counts: it is the one that may restart.
     */
    @Override
    protected void replied(@Nullable Object reply) {
        if (reply instanceof List<?> both && both.size() == 2) {
            long own = number(both.get(0));
            complete(own > 0 ? own + number(both.get(1)) : 0L);
        } else {
            complete(number(reply));
        }
    }

    private static long number(@Nullable Object reply) {
        return reply instanceof Long number ? number : 0;
    }
}
