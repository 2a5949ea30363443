package dev.leasehold.internal.wakeup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.internal.engine.EngineRig;
import dev.leasehold.internal.engine.ScriptedTransport;
import dev.leasehold.internal.engine.VirtualTime;
import dev.leasehold.internal.key.KeyPrefix;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.spi.RedisErrorException;
import dev.leasehold.spi.TransportException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ShardWakeChannelsTest {

    private static final KeyPrefix PREFIX = new KeyPrefix("leasehold");
    private static final LockKey KEY = LockKey.of(PREFIX, "x");
    private static final String OWN = "leasehold:w:me";

    private final ScriptedTransport transport = new ScriptedTransport(new VirtualTime());
    private final ShardWakeChannels shards =
            new ShardWakeChannels(new EngineRig().store(transport), new WakeChannel(PREFIX, "me"), message -> {});

    @Test
    void withoutShardsTheClientUsesItsOwnChannel() {
        assertThat(shards.channelOf(KEY)).isEqualTo(OWN);
        assertThat(transport.channels).isEmpty();
    }

    @Test
    void aShardsChannelIsUsedOnceItsSubscriptionIsConfirmed() {
        transport.shard = "7";
        transport.subscribed = new CompletableFuture<>();
        assertThat(shards.channelOf(KEY)).isEqualTo(OWN);
        assertThat(shards.channelOf(KEY)).isEqualTo(OWN);
        transport.subscribed.complete(() -> {});
        assertThat(shards.channelOf(KEY)).isEqualTo(OWN + "{7}");
        assertThat(transport.channels).containsExactly(OWN + "{7}");
        transport.shard = "8";
        shards.channelOf(KEY);
        assertThat(shards.channelOf(KEY)).isEqualTo(OWN + "{8}");
        assertThat(transport.channels).containsExactly(OWN + "{7}", OWN + "{8}");
    }

    @Test
    void aRefusedSubscriptionIsNotRequestedAgain() {
        transport.shard = "7";
        transport.subscribed = CompletableFuture.failedFuture(new RedisErrorException("NOPERM no"));
        assertThat(shards.channelOf(KEY)).isEqualTo(OWN);
        assertThat(shards.channelOf(KEY)).isEqualTo(OWN);
        assertThat(transport.channels).hasSize(1);
    }

    @Test
    void aSubscriptionThatABusyServerRefusesIsRequestedAgain() {
        transport.shard = "7";
        transport.subscribed = CompletableFuture.failedFuture(new RedisErrorException("BUSY a script runs"));
        assertThat(shards.channelOf(KEY)).isEqualTo(OWN);
        transport.subscribed = CompletableFuture.completedFuture(() -> {});
        shards.channelOf(KEY);
        assertThat(shards.channelOf(KEY)).isEqualTo(OWN + "{7}");
    }

    @Test
    void aFailedSubscriptionIsTriedAgain() {
        transport.shard = "7";
        transport.subscribed = CompletableFuture.failedFuture(new TransportException("broken", true, null));
        assertThat(shards.channelOf(KEY)).isEqualTo(OWN);
        transport.subscribed = CompletableFuture.completedFuture(() -> {});
        shards.channelOf(KEY);
        assertThat(shards.channelOf(KEY)).isEqualTo(OWN + "{7}");
    }
}
