package dev.leasehold.tck;

import static dev.leasehold.tck.TransportCalls.LIMIT;
import static dev.leasehold.tck.TransportCalls.answer;
import static dev.leasehold.tck.TransportCalls.count;
import static dev.leasehold.tck.TransportCalls.giveUp;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.leasehold.spi.ChannelListener;
import dev.leasehold.testkit.EmbeddedRedis;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The contract of transports for subscriptions to channels of shards. */
class ShardChannelsContract extends ClusterTransportBase {

    /** Records the notifications of a subscriber. */
    private static final class RecordingListener implements ChannelListener {
        final Queue<String> messages = new ConcurrentLinkedQueue<>();
        final AtomicInteger resubscriptions = new AtomicInteger();

        @Override
        public void message(String message) {
            messages.add(message);
        }

        @Override
        public void resubscribed() {
            resubscriptions.incrementAndGet();
        }
    }

    private String channelOn(EmbeddedRedis node) {
        return "c{" + transport.shardOf(keyOn(node)) + "}";
    }

    private void awaitMessage(EmbeddedRedis by, String channel, RecordingListener listener) {
        await().atMost(LIMIT)
                .ignoreExceptions()
                .until(() -> Long.valueOf(1).equals(by.command("SPUBLISH", channel, "now")));
        await().atMost(LIMIT).until(() -> listener.messages.contains("now"));
    }

    @Test
    void allKeysOfAShardHaveTheSameTagWhichIsOfTheShardToo() {
        List<String> tags = cluster.nodes().stream()
                .map(node -> transport.shardOf(keyOn(node)))
                .toList();
        assertThat(tags).doesNotHaveDuplicates().doesNotContain("");
        for (EmbeddedRedis node : cluster.nodes()) {
            assertThat(TransportCalls.keysOn(cluster, node).limit(5))
                    .extracting(transport::shardOf)
                    .containsOnly(tags.get(cluster.nodes().indexOf(node)));
            assertThat(cluster.nodeOf(channelOn(node))).isSameAs(node);
        }
    }

    @Test
    void aMessageOnAShardedChannelArrivesAndIsSentToNoOtherNode() {
        long before = ClusterMessages.broadcasts(cluster);
        for (EmbeddedRedis node : cluster.nodes()) {
            RecordingListener listener = new RecordingListener();
            String channel = channelOn(node);
            answer(transport.subscribe(channel, listener));
            assertThat(node.command("SPUBLISH", channel, "1")).isEqualTo(1L);
            assertThat(node.command("SPUBLISH", channel, "2")).isEqualTo(1L);
            await().atMost(LIMIT)
                    .untilAsserted(() -> assertThat(listener.messages).containsExactly("1", "2"));
            assertThat(listener.resubscriptions).hasValue(0);
        }
        assertThat(ClusterMessages.broadcasts(cluster)).isEqualTo(before);
    }

    @Test
    void aSubscriptionThatIsEndedHearsNothingMore() throws Exception {
        EmbeddedRedis node = cluster.nodes().get(1);
        RecordingListener listener = new RecordingListener();
        AutoCloseable subscription = answer(transport.subscribe(channelOn(node), listener));
        subscription.close();
        await().atMost(LIMIT).until(() -> Long.valueOf(0).equals(node.command("SPUBLISH", channelOn(node), "late")));
        assertThat(listener.resubscriptions).hasValue(0);
    }

    @Test
    void aSubscriptionToBothKindsHearsBothCommandsAndEndsAsOne() throws Exception {
        for (EmbeddedRedis node : cluster.nodes()) {
            RecordingListener listener = new RecordingListener();
            String channel = channelOn(node);
            AutoCloseable subscription = answer(transport.subscribeToBothKinds(channel, listener));
            assertThat(node.command("SPUBLISH", channel, "to the shard")).isEqualTo(1L);
            assertThat(node.command("PUBLISH", channel, "to all")).isNotNull();
            await().atMost(LIMIT)
                    .untilAsserted(
                            () -> assertThat(listener.messages).containsExactlyInAnyOrder("to the shard", "to all"));
            subscription.close();
            await().atMost(LIMIT).until(() -> isHeardByNobody(channel));
        }
    }

    private boolean isHeardByNobody(String channel) {
        return Stream.of("NUMSUB", "SHARDNUMSUB")
                .flatMap(kind -> cluster.nodes().stream().map(node -> node.command("PUBSUB", kind, channel)))
                .allMatch(reply -> List.of(channel, 0L).equals(reply));
    }

    @Test
    void aSubscriptionFollowsItsSlotAndItsListenerIsNotified() {
        EmbeddedRedis from = cluster.nodes().get(0);
        EmbeddedRedis to = otherThan(from);
        String channel = channelOn(from);
        RecordingListener listener = new RecordingListener();
        answer(transport.subscribe(channel, listener));
        cluster.migrate(cluster.slotOf(channel), to);
        await().atMost(LIMIT).until(() -> listener.resubscriptions.get() == 1);
        assertThat(to.command("SPUBLISH", channel, "there")).isEqualTo(1L);
        await().atMost(LIMIT).untilAsserted(() -> assertThat(listener.messages).containsExactly("there"));
        cluster.migrate(cluster.slotOf(channel), from);
        await().atMost(LIMIT).until(() -> listener.resubscriptions.get() == 2);
        awaitMessage(from, channel, listener);
    }

    @Test
    void aSubscriptionBeginsWhereTheSlotIsThoughTheClientDoesNotKnowYet() {
        EmbeddedRedis from = cluster.nodes().get(0);
        EmbeddedRedis to = otherThan(from);
        String channel = channelOn(from);
        cluster.migrate(cluster.slotOf(channel), to);
        RecordingListener listener = new RecordingListener();
        answer(transport.subscribe(channel, listener));
        assertThat(to.command("SPUBLISH", channel, "there")).isEqualTo(1L);
        cluster.migrate(cluster.slotOf(channel), from);
        awaitMessage(from, channel, listener);
    }

    @Test
    void aSubscriptionSurvivesTheLossOfItsConnectionAndItsListenerIsNotified() {
        EmbeddedRedis node = cluster.nodes().get(2);
        String channel = channelOn(node);
        RecordingListener listener = new RecordingListener();
        answer(transport.subscribe(channel, listener));
        for (int i = 1; i <= 3; i++) {
            int told = i;
            node.command("CLIENT", "KILL", "TYPE", "pubsub");
            await().atMost(LIMIT).until(() -> listener.resubscriptions.get() >= told);
            assertThat(node.command("SPUBLISH", channel, "again " + i)).isEqualTo(1L);
        }
        await().atMost(LIMIT).until(() -> listener.messages.contains("again 3"));
    }

    @Test
    void aSlotThatMovesWhileItsSubscribersAreDisconnectedIsFollowed() throws Exception {
        EmbeddedRedis from = cluster.nodes().get(0);
        EmbeddedRedis to = otherThan(from);
        String channel = channelOn(from);
        RecordingListener listener = new RecordingListener();
        answer(transport.subscribe(channel, listener));
        int slot = cluster.slotOf(channel);
        cluster.beginMigration(slot, to);
        Object target = to.command("CLUSTER", "MYID");
        // In one packet, so that no client comes back in between.
        try (Socket socket = new Socket(from.host(), from.port())) {
            String all = "AUTH " + from.password() + "\r\nCLIENT KILL TYPE pubsub\r\nCLUSTER SETSLOT " + slot + " NODE "
                    + target + "\r\n";
            socket.getOutputStream().write(all.getBytes(StandardCharsets.UTF_8));
            assertThat(new String(socket.getInputStream().readNBytes(14), StandardCharsets.UTF_8))
                    .isEqualTo("+OK\r\n:1\r\n+OK\r\n");
        }
        cluster.finishMigration(slot);
        awaitMessage(to, channel, listener);
        cluster.migrate(slot, from);
        awaitMessage(from, channel, listener);
    }

    @Test
    void aSubscriptionIsRepeatedIfItsServerFallsSilent() {
        EmbeddedRedis node = cluster.nodes().get(1);
        String key = keyOn(node);
        RecordingListener listener = new RecordingListener();
        answer(transport.subscribe(channelOn(node), listener));
        await().atMost(LIMIT).until(() -> {
            node.pause();
            // The first shows that it is silent, and the second gives time to find out whether to everybody.
            giveUp(transport, count(key, Duration.ofMillis(20)));
            giveUp(transport, count(key, Duration.ofSeconds(1)));
            node.resume();
            return listener.resubscriptions.get() > 0;
        });
    }

    @Test
    void afterCloseNothingIsSubscribedAnyMore() {
        EmbeddedRedis node = cluster.nodes().get(0);
        String channel = channelOn(node);
        answer(transport.subscribe(channel, new RecordingListener()));
        transport.close();
        await().atMost(LIMIT).until(() -> List.of().equals(node.command("PUBSUB", "SHARDCHANNELS", channel)));
    }
}
