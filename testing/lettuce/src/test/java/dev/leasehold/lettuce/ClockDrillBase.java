package dev.leasehold.lettuce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.leasehold.DistributedLock;
import dev.leasehold.Lease;
import dev.leasehold.LeaseLostException;
import dev.leasehold.Leasehold;
import dev.leasehold.LeaseholdBuilder.Preflight;
import dev.leasehold.LockOptions;
import dev.leasehold.event.LossCause;
import dev.leasehold.event.LossEvent;
import dev.leasehold.tck.ClockShim;
import dev.leasehold.tck.TransportCalls;
import dev.leasehold.testkit.EmbeddedRedis;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;

/** Servers with different clocks, of which one takes over the lock {@code drill} from another. */
abstract class ClockDrillBase {

    static final Path SERVER = Path.of("/usr/bin/redis-server");
    static final Duration AHEAD = Duration.ofSeconds(40);
    static final LockOptions SHORT =
            LockOptions.builder().leaseTime(Duration.ofSeconds(3)).build();

    final ClockShim shim = ClockShim.compile();
    private final List<AutoCloseable> opened = new ArrayList<>();

    abstract String uri();

    abstract AutoCloseable servers();

    @AfterEach
    void end() throws Exception {
        for (AutoCloseable each : opened) {
            each.close();
        }
        servers().close();
        shim.close();
    }

    /** Closes it before the servers. */
    final <T extends AutoCloseable> T opened(T resource) {
        opened.add(resource);
        return resource;
    }

    final Leasehold client() {
        return opened(Leasehold.builder()
                .uri(uri())
                .preflight(Preflight.OFF)
                .defaults(SHORT)
                .build());
    }

    static long seconds(EmbeddedRedis server) {
        return Long.parseLong(String.valueOf(((List<?>) server.command("TIME")).get(0)));
    }

    /** A hold that one lease does not explain: else there would be nothing to heal. */
    static void assertEndsFarAhead(EmbeddedRedis server) {
        Object id = server.command("HGET", "leasehold:{drill}", "own");
        String hold = String.valueOf(server.command("HGET", "leasehold:{drill}", "h:" + id));
        assertThat(hold).matches("[0-9]+:[0-9]+:[0-9]+");
        String[] parts = hold.split(":", -1);
        long end = (Long.parseLong(parts[0]) + Long.parseLong(parts[1])) / 1_000_000;
        assertThat(end - seconds(server)).isGreaterThan(SHORT.leaseTime().toSeconds());
    }

    /** As soon as there is a server that grants. */
    static Lease acquire(DistributedLock lock) {
        return await().atMost(TransportCalls.LIMIT)
                .ignoreExceptions()
                .until(lock::tryAcquire, found -> found.isPresent())
                .orElseThrow();
    }

    /**
     * A server whose clock is ahead takes over while the lock is held: C-2 does not hold, because the hold's end, a time, has passed by that clock.
     *
     * @param takesOver with the former lease
     */
    final void grantsTooEarly(Consumer<Lease> takesOver, LossCause... causes) {
        DistributedLock lock = client().lock("drill");
        DistributedLock other = client().lock("drill");
        Queue<LossEvent> losses = new ConcurrentLinkedQueue<>();
        Lease former = acquire(lock);
        former.onLost(losses::add);
        assertThat(other.tryAcquire()).isEmpty();

        takesOver.accept(former);
        Lease next = acquire(other);
        assertThat(next.fencingToken()).isGreaterThan(former.fencingToken());
        await().atMost(TransportCalls.LIMIT).until(() -> !losses.isEmpty());
        assertThat(former.isHeld()).isFalse();
        assertThatThrownBy(former::ensureHeld).isInstanceOf(LeaseLostException.class);
        assertThat(losses)
                .singleElement()
                .satisfies(loss -> assertThat(loss.cause()).isIn((Object[]) causes));

        // From then on one server decides, and all is as ever.
        assertThat(next.isHeld()).isTrue();
        assertThat(lock.tryAcquire()).isEmpty();
        next.close();
        Lease after = acquire(lock);
        assertThat(after.fencingToken()).isGreaterThan(next.fencingToken());
        after.close();
    }
}
