package dev.leasehold.internal.redis.shared;

import dev.leasehold.internal.redis.path.CommandPath;
import dev.leasehold.internal.redis.path.Invalidations;
import dev.leasehold.internal.redis.path.PendingCommand;
import dev.leasehold.internal.redis.path.Scheduler;
import dev.leasehold.internal.redis.path.ServerRoute;
import dev.leasehold.internal.redis.path.TextCommand;
import dev.leasehold.spi.ConnectionPurpose;
import dev.leasehold.spi.RedisConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A path for scripts whose keys the server is to track: each call is followed by a read of its keys, because any write ends the
 * tracking of a key, also one's own. Only that read is tracked, and not those of the script: before 7.2 a server that tracks these enters
 * all keys of the call anew at each of them. What the last connection had read is not tracked any more, so each new one begins with
 * the invalidation of all keys.
 */
final class KeyTracking implements CommandPath, SharedPath.Events {

    private static final Logger LOG = LoggerFactory.getLogger(KeyTracking.class);

    /** Not of changes by the connection itself. */
    private static final List<String> TRACKING = List.of("CLIENT", "TRACKING", "ON", "OPTIN", "NOLOOP");

    private static final List<String> TRACK_THE_NEXT = List.of("CLIENT", "CACHING", "YES");

    /** In the words of EVALSHA and EVAL, behind the script: the number of keys, and the first of them. */
    private static final int NUMBER = 2;

    private static final int FIRST_KEY = 3;

    private final ServerRoute route;
    private final Invalidations invalidations;
    private final SharedPath path;

    /** Whether the latest connection tracks, as far as the server has answered: one for each, as the end of one may be noticed late. */
    private volatile AtomicBoolean tracks = new AtomicBoolean();

    KeyTracking(ServerRoute route, Invalidations invalidations, long connectTimeoutNanos, Scheduler scheduler) {
        this.route = route;
        this.invalidations = invalidations;
        this.path = new SharedPath(route, ConnectionPurpose.TRACKED_COMMANDS, connectTimeoutNanos, scheduler, this);
    }

    @Override
    public void opened(SharedConnection connection) {
        RedisConnection open = connection.ifOpen();
        if (open == null) {
            return;
        }
        AtomicBoolean tracked = new AtomicBoolean();
        tracks = tracked;
        TextCommand tracking = new TextCommand(TRACKING);
        CompletionStage<?> unused = tracking.whenComplete((reply, failure) -> {
            tracked.set(failure == null);
            if (failure == null) {
                invalidations.received(null);
            } else {
                LOG.debug("Redis at {} tracks no keys", route.address(), failure);
            }
        });
        connection.send(open, List.of(tracking), 0);
    }

    @Override
    public void invalidated(@Nullable List<String> keys) {
        invalidations.received(keys);
    }

    @Override
    public void send(PendingCommand<?> command, long timeoutNanos) {
        send(List.of(command), timeoutNanos);
    }

    @Override
    public void send(List<? extends PendingCommand<?>> commands, long timeoutNanos) {
        List<PendingCommand<?>> all = new ArrayList<>(3 * commands.size());
        for (PendingCommand<?> command : commands) {
            all.add(command);
            if (tracks.get() && command.words().get(0).startsWith("EVAL")) {
                all.add(new TextCommand(TRACK_THE_NEXT));
                all.add(read(keysOf(command.words())));
            }
        }
        path.send(all, timeoutNanos);
    }

    private static List<String> keysOf(List<String> words) {
        return words.subList(FIRST_KEY, FIRST_KEY + Integer.parseInt(words.get(NUMBER)));
    }

    private PendingCommand<?> read(List<String> keys) {
        List<String> words = new ArrayList<>(1 + keys.size());
        words.add("EXISTS");
        words.addAll(keys);
        TextCommand read = new TextCommand(words);
        CompletionStage<?> unused = read.whenComplete((reply, failure) -> {
            if (reply instanceof Long there && there < keys.size()) {
                // Some went between the script and this.
                invalidations.received(keys);
            }
        });
        return read;
    }

    @Override
    public boolean isConnected() {
        return path.isConnected();
    }

    @Override
    public CompletionStage<?> open() {
        return path.open();
    }

    @Override
    public void restart(String reason) {
        path.restart(reason);
    }

    @Override
    public void close(String reason) {
        path.close(reason);
    }
}
