package dev.leasehold.benchmarks.scenario;

import dev.leasehold.benchmarks.measure.Step;
import dev.leasehold.benchmarks.subject.Receivers;
import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.KeyPrefix;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.OwnerKey;
import dev.leasehold.internal.key.PermitKey;
import dev.leasehold.internal.key.ReadKey;
import dev.leasehold.testkit.EmbeddedRedis;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One lock with many holds or waiters. All script calls come from one connection, one after another, so that the server's
 * time of each is that of the script alone.
 */
public final class Scale implements AutoCloseable {

    /** The part of the steps that measure the machine. */
    public static final String MACHINE = StepMeter.MACHINE;

    private static final KeyPrefix PREFIX = new KeyPrefix("scale");

    /** A client renews so many holds of one of these kinds by one call. */
    private static final int LARGEST_BATCH = 25;

    /** One of so many waiters belongs to the client that is gone. */
    private static final int SHARE_THAT_IS_GONE = 10;

    private static final String GONE = "scale-client-gone";

    private final EmbeddedRedis redis;
    private final int holds;
    private final Duration lease;
    private final StepMeter meter;
    private final Receivers receivers;

    /**
     * Connects.
     *
     * @param redis a server of its own
     * @param holds the number of holds or waiters of one lock
     * @param lease the lease of the holds that are renewed, in three rounds that take as long
     */
    public Scale(EmbeddedRedis redis, int holds, Duration lease) {
        this.redis = redis;
        this.holds = holds;
        this.lease = lease;
        meter = new StepMeter(redis);
        receivers = new Receivers(
                redis.uri(),
                IntStream.range(0, ManyFairWaiters.CLIENTS)
                        .mapToObj(Scale::channel)
                        .toList());
    }

    /** Measures all situations whose name contains this text. */
    public List<Step> run(String only) throws InterruptedException {
        OwnerKey named = OwnerKey.named("owner");
        if ("named owner".contains(only)) {
            holds("named owner", key("named"), id -> named, LARGEST_BATCH).renewAll(holds);
        }
        LockKey permits = PermitKey.of(key("permits"), holds, 1);
        if ("permits".contains(only)) {
            holds("permits", permits, OwnerKey::anonymous, LARGEST_BATCH).renewAll(holds);
        }
        LockKey ending = PermitKey.of(key("ending-permits"), holds, 1);
        if ("permits, 5 % end".contains(only)) {
            // It wants one permit more than those that end.
            LockKey polled = PermitKey.of(ending, holds, holds / ManyHolds.SHARE_THAT_ENDS + 1);
            holds("permits, 5 % end", ending, OwnerKey::anonymous, LARGEST_BATCH)
                    .outlive(holds, polled, this::live);
        }
        LockKey readers = ReadKey.of(key("readers"));
        if ("readers".contains(only)) {
            holds("readers", readers, OwnerKey::anonymous, LARGEST_BATCH).renewAll(holds);
        }
        if ("readers, 5 % end".contains(only)) {
            LockKey polled = key("ending-readers");
            holds("readers, 5 % end", ReadKey.of(polled), OwnerKey::anonymous, LARGEST_BATCH)
                    .outlive(holds, polled, this::live);
        }
        if ("fair waiters".contains(only)) {
            new ManyFairWaiters(meter, "fair waiters", key("fair"), holds, Scale::channel).passOn();
        }
        String part = "fair waiters, a client is gone";
        if (part.contains(only)) {
            int gone = holds / SHARE_THAT_IS_GONE;
            new ManyFairWaiters(meter, part, key("gone"), holds, n -> n > 0 && n <= gone ? GONE : channel(n))
                    .passOver(gone);
        }
        return meter.steps();
    }

    private static String channel(int waiter) {
        return "scale-client-" + waiter % ManyFairWaiters.CLIENTS;
    }

    private static LockKey key(String name) {
        return LockKey.of(PREFIX, name);
    }

    private ManyHolds holds(String part, LockKey key, Function<AcquisitionId, OwnerKey> owner, int largestBatch) {
        return new ManyHolds(meter, part, key, owner, lease, largestBatch);
    }

    /** Returns how many holds the lock counts. */
    private long live(LockKey key) {
        return count(redis.command("HGET", key.key(), "rs"));
    }

    /** Parses {@code <count>:<earliest>:<latest>:<longest>}; there is none where all holds have ended. */
    private static long count(@Nullable Object sum) {
        return sum instanceof String text ? Long.parseLong(text.substring(0, text.indexOf(':'))) : 0;
    }

    @Override
    public void close() {
        receivers.close();
        meter.close();
    }
}
