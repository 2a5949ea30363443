package dev.leasehold.internal.check;

import dev.leasehold.LockUnavailableException;
import dev.leasehold.internal.connect.ServerQueries;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.RedisNode;
import dev.leasehold.spi.TimeSource;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Asks several nodes at once whether they answer. A node that is silent is waited for as long as ten times the first answer
 * took, and half a second more: it must not delay the use of the others.
 */
final class AnsweringNodes {

    private static final long PATIENCE_NANOS = Duration.ofMillis(500).toNanos();
    private static final int TIMES_THE_FIRST = 10;

    private final ServerQueries queries;
    private final TimeSource time;
    private final BlockingQueue<Result> results = new LinkedBlockingQueue<>();

    /** The result for one node; without a failure, the node answered. */
    private record Result(RedisNode node, @Nullable LockUnavailableException failure) {}

    AnsweringNodes(ServerQueries queries, TimeSource time) {
        this.queries = queries;
        this.time = time;
    }

    /**
     * Asks all nodes; returns the failures of those that do not answer.
     *
     * @param mostNanos how long to wait at most
     */
    Map<RedisNode, String> silent(List<RedisNode> nodes, long mostNanos) {
        long began = time.nanoTime();
        nodes.forEach(this::ask);
        Map<RedisNode, String> silent = new HashMap<>();
        nodes.forEach(node -> silent.put(node, "it gave no answer in time"));
        long deadline = began + mostNanos;
        for (int open = nodes.size(); open > 0; open--) {
            Result result = next(deadline - time.nanoTime());
            if (result == null) {
                break;
            }
            if (result.failure == null) {
                silent.remove(result.node);
                long now = time.nanoTime();
                deadline = Math.min(deadline, now + TIMES_THE_FIRST * (now - began) + PATIENCE_NANOS);
            } else {
                silent.put(result.node, String.valueOf(result.failure.getMessage()));
            }
        }
        return silent;
    }

    /** On a thread of its own, since the clients of some adapters block. */
    private void ask(RedisNode node) {
        Thread thread = new Thread(() -> results.add(new Result(node, failure(node))), "leasehold-preflight " + node);
        thread.setDaemon(true);
        thread.start();
    }

    private @Nullable LockUnavailableException failure(RedisNode node) {
        try {
            queries.command(node, List.of("TIME"));
            return null;
        } catch (RedisErrorException e) {
            // A refusal is an answer.
            return null;
        } catch (LockUnavailableException e) {
            return e;
        }
    }

    private @Nullable Result next(long nanos) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return results.poll(nanos, TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
