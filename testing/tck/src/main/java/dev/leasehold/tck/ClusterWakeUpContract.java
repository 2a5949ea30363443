package dev.leasehold.tck;

import static dev.leasehold.tck.TransportCalls.LIMIT;
import static dev.leasehold.tck.TransportCalls.answer;
import static dev.leasehold.tck.TransportCalls.subscribed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.Holder;
import dev.leasehold.internal.key.KeyPrefix;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.OwnerKey;
import dev.leasehold.internal.script.ScriptBindings;
import dev.leasehold.internal.script.ScriptStore;
import dev.leasehold.internal.script.TokenMemory;
import dev.leasehold.internal.store.AcquireHold;
import dev.leasehold.internal.store.LeaseSpan;
import dev.leasehold.internal.store.LockStore;
import dev.leasehold.internal.store.ServerTime;
import dev.leasehold.internal.store.TokenFloor;
import dev.leasehold.internal.store.Waiter;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.ManualClock;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Wake-ups in a cluster: over channels of shards as far as these are heard, else over all nodes. */
class ClusterWakeUpContract extends ClusterTransportBase {

    private static final Duration STEP = Duration.ofMillis(100);
    private static final KeyPrefix PREFIX = new KeyPrefix("leasehold");
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final AtomicInteger NAMES = new AtomicInteger();

    private Leasehold holder;
    private Leasehold waiter;

    @BeforeEach
    void connect() {
        holder = Leasehold.connect(cluster.uri());
        waiter = Leasehold.connect(cluster.uri());
    }

    @AfterEach
    void closeClients() {
        waiter.close();
        holder.close();
    }

    private String nameOn(EmbeddedRedis node) {
        return Stream.generate(() -> "wake:" + NAMES.incrementAndGet())
                .filter(name -> cluster.nodeOf(key(name)) == node)
                .findFirst()
                .orElseThrow();
    }

    private static String key(String name) {
        return LockKey.of(PREFIX, name).key();
    }

    /** Takes a place in the queue of a lock that is held, and returns it. */
    private long waitIn(String name, String channel, long place) {
        AcquisitionId id = AcquisitionId.next(RANDOM);
        LockStore store = new ScriptStore(transport, new ScriptBindings(new TokenMemory(Duration.ofMinutes(1)), true));
        AcquireHold.Answer answer = answer(store.send(new AcquireHold(
                LockKey.of(PREFIX, name),
                id,
                OwnerKey.anonymous(id),
                new LeaseSpan(LIMIT.toNanos()),
                new ServerTime(1L << 52),
                new TokenFloor(0),
                new Holder("0@test", "waiter", ""),
                new Waiter(channel, place),
                LIMIT.toNanos())));
        assertThat(answer.code()).isEqualTo(AcquireHold.Code.BUSY);
        return answer.position();
    }

    private Lease hold(String name) {
        return holder.lock(name).tryAcquire().orElseThrow();
    }

    private boolean waitsOnShard(EmbeddedRedis node, String name) {
        return node.command("HVALS", key(name)) instanceof List<?> values
                && values.stream().anyMatch(value -> String.valueOf(value).matches("\\d+:leasehold:w:[^ ]*\\{.*} .*"));
    }

    /** One client holds, the other waits and gets it. */
    private void handOff(String name, Predicate<EmbeddedRedis> waits) {
        handOff(name, waiter, waits);
    }

    private void handOff(String name, Leasehold waiting, Predicate<EmbeddedRedis> waits) {
        Lease held = hold(name);
        CompletionStage<Lease> next = waiting.lock(name).acquireAsync();
        await().atMost(LIMIT).until(() -> waits.test(cluster.nodeOf(key(name))));
        held.release();
        answer(next).release();
    }

    private static boolean waits(EmbeddedRedis node, String name) {
        return "1".equals(node.command("HGET", key(name), "wn"));
    }

    @Test
    void aWakeUpGoesToNoOtherNodeWhereTheShardHasChannelsOfItsOwn() {
        ManualClock time = ManualClock.create();
        try (Leasehold woken =
                Leasehold.builder().uri(cluster.uri()).timer(time).build()) {
            cluster.nodes().forEach(node -> wakesOnItsShardOnly(woken, time, node));
        }
    }

    private void wakesOnItsShardOnly(Leasehold woken, ManualClock time, EmbeddedRedis node) {
        String name = nameOn(node);
        long before = ClusterMessages.broadcasts(cluster);
        IntStream.range(0, 5)
                .forEach(i -> handOff(name, woken, there -> {
                    // It may ask before the channel is heard, and names the channel when it asks again. From then on
                    // no time passes for it, so it does not poll.
                    time.advance(STEP);
                    return waitsOnShard(there, name);
                }));
        assertThat(ClusterMessages.broadcasts(cluster)).isEqualTo(before);
        assertThat((List<?>) node.command("PUBSUB", "SHARDCHANNELS", "leasehold:w:*"))
                .as("channels of the shard, one a client")
                .hasSizeLessThanOrEqualTo(2);
    }

    @Test
    void aPlaceIsKeptByTheSameClientOverWhicheverChannel() {
        String name = nameOn(cluster.nodes().get(0));
        Lease held = hold(name);
        long place = waitIn(name, "leasehold:w:me", 0);
        assertThat(waitIn(name, "leasehold:w:me{" + transport.shardOf(key(name)) + "}", place))
                .isEqualTo(place);
        assertThat(waitIn(name, "leasehold:w:me", place)).isEqualTo(place);
        assertThat(waitIn(name, "leasehold:w:other", place)).isNotEqualTo(place);
        held.release();
    }

    @Test
    void aWakeUpIsHeardThoughTheLockHasMovedAwayFromTheChannel() {
        EmbeddedRedis node = cluster.nodes().get(0);
        String name = nameOn(node);
        String channel = "leasehold:w:moved";
        Queue<String> own = subscribed(transport, channel);
        String ofShard = channel + "{" + transport.shardOf(key(name)) + "}";
        Queue<String> shard = subscribed(transport, ofShard);
        Lease held = hold(name);
        long place = waitIn(name, ofShard, 0);
        int slot = cluster.slotOf(key(name));
        cluster.migrate(slot, otherThan(node));
        held.release();
        await().atMost(LIMIT).untilAsserted(() -> assertThat(own).containsExactly(place + " " + key(name)));
        assertThat(shard).isEmpty();
        cluster.migrate(slot, node);
    }

    @Test
    void aWakeUpArrivesEvenIfTheShardedChannelHasNoSubscriberAnyMore() {
        String name = nameOn(cluster.nodes().get(1));
        String channel = "leasehold:w:deaf";
        Queue<String> own = subscribed(transport, channel);
        Lease held = hold(name);
        long place = waitIn(name, channel + "{" + transport.shardOf(key(name)) + "}", 0);
        held.release();
        await().atMost(LIMIT).untilAsserted(() -> assertThat(own).containsExactly(place + " " + key(name)));
    }

    @Test
    void aForcedReleaseWakesOneWaiterOnlyWhereverItListens() {
        String first = "leasehold:w:first";
        Queue<String> heard = subscribed(transport, first);
        EmbeddedRedis home = cluster.nodes().stream()
                .filter(node -> List.of(first).equals(node.command("PUBSUB", "CHANNELS", first)))
                .findFirst()
                .orElseThrow();
        // Without subscribers, PUBLISH counts none.
        String name = nameOn(otherThan(home));
        Queue<String> second = subscribed(transport, "leasehold:w:second");
        hold(name);
        long place = waitIn(name, first, 0);
        waitIn(name, "leasehold:w:second", 0);
        assertThat(holder.lock(name).forceRelease()).isTrue();
        await().atMost(LIMIT).untilAsserted(() -> assertThat(heard).containsExactly(place + " " + key(name)));
        // Earlier messages have arrived before this one.
        otherThan(home).command("PUBLISH", "leasehold:w:second", "later");
        await().atMost(LIMIT).until(() -> second.contains("later"));
        assertThat(second).containsExactly("later");
    }

    @Test
    void aForcedReleaseLetsAWaiterOfAnotherClientIn() {
        String name = nameOn(cluster.nodes().get(2));
        Lease held = hold(name);
        CompletionStage<Lease> next = waiter.lock(name).acquireAsync();
        await().atMost(LIMIT).until(() -> waits(cluster.nodes().get(2), name));
        assertThat(holder.lock(name).forceRelease()).isTrue();
        assertThat(answer(next).fencingToken()).isGreaterThan(held.fencingToken());
    }

    @Test
    void noWaiterIsStrandedWhileSlotsMove() {
        EmbeddedRedis node = cluster.nodes().get(0);
        String name = nameOn(node);
        handOff(name, there -> waits(there, name));
        int ofChannel = cluster.slotOf("{" + transport.shardOf(key(name)) + "}");
        for (int slot : List.of(ofChannel, cluster.slotOf(key(name)))) {
            for (EmbeddedRedis to :
                    List.of(cluster.nodes().get(1), cluster.nodes().get(2), node)) {
                Lease held = hold(name);
                CompletionStage<Lease> next = waiter.lock(name).acquireAsync();
                await().atMost(LIMIT).until(() -> waits(cluster.nodeOf(key(name)), name));
                cluster.migrate(slot, to);
                held.release();
                answer(next).release();
            }
        }
    }
}
