package dev.leasehold.tck.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.CountDownId;
import dev.leasehold.internal.store.CountDown;
import dev.leasehold.internal.store.LeaseSpan;
import dev.leasehold.internal.store.ReadLatch;
import dev.leasehold.internal.store.ServerTime;
import dev.leasehold.internal.store.SetLatch;
import dev.leasehold.internal.store.Waiter;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.WithRedis;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The effects of the scripts of a latch: fields, positions and the expiry of the key. */
@WithRedis
class LatchScriptIT {

    private static final ServerTime LATE = new ServerTime(Long.MAX_VALUE / 4096);

    private final Bench latch;

    LatchScriptIT(EmbeddedRedis redis) {
        latch = new Bench(redis);
    }

    @AfterEach
    void close() {
        latch.close();
    }

    private SetLatch.Code set(String id, int count) {
        return latch.send(new SetLatch(latch.key, id(id), count, new LeaseSpan(Bench.HOUR * 1000), LATE, 1))
                .code();
    }

    private CountDown.Answer countDown(String id, long notAfter) {
        return latch.send(new CountDown(latch.key, id(id), new ServerTime(notAfter), 1));
    }

    private ReadLatch.Answer poll(String channel, long position) {
        return latch.send(new ReadLatch(latch.key, new Waiter(channel, position), 1));
    }

    private static CountDownId id(String id) {
        return CountDownId.of(new AcquisitionId(id));
    }

    @Test
    void itsFieldsAndItsExpiryFollowTheProtocol() {
        assertThat(set("s", 2)).isEqualTo(SetLatch.Code.SET);
        long ends = Long.parseLong(latch.field("ends"));
        assertThat(latch.fields().keySet()).isEqualTo(Set.of("v", "n", "of", "by", "ends"));
        assertThat(latch.expiry()).isEqualTo((ends + 999) / 1000);
        assertThat(poll("c", 0).position()).isEqualTo(1);
        assertThat(countDown("a", LATE.micros()).count()).isEqualTo(1);
        assertThat(countDown("a", LATE.micros()).count()).isEqualTo(1);
        assertThat(latch.fields().keySet()).isEqualTo(Set.of("v", "n", "of", "by", "ends", "d:a", "w:1", "wn"));
        assertThat(latch.expiry()).isEqualTo((ends + 999) / 1000);
    }

    @Test
    void aClientKeepsItsPositionAndChangesItsChannelAndNoneTakesThatOfAnother() {
        set("s", 1);
        assertThat(poll("c", 0).position()).isEqualTo(1);
        assertThat(poll("c", 1).position()).isEqualTo(1);
        assertThat(poll("c{shard}", 1).position()).isEqualTo(1);
        assertThat(latch.field("w:1")).isEqualTo("c{shard}");
        assertThat(poll("d", 1).position()).isEqualTo(2);
        assertThat(poll("d", 7).position()).isEqualTo(3);
        assertThat(latch.field("wn")).isEqualTo("3");
        assertThat(poll("", 0).position()).isZero();
        assertThat(latch.field("wn")).isEqualTo("3");
    }

    @Test
    void beyondAThousandClientsThereIsNoPosition() {
        set("s", 1);
        latch.put("wn", 999);
        assertThat(poll("c", 0).position()).isEqualTo(1000);
        assertThat(poll("d", 0).position()).isZero();
        assertThat(poll("c", 1000).position()).isEqualTo(1000);
        assertThat(latch.field("wn")).isEqualTo("1000");
    }

    @Test
    void anExpiredLatchDoesNotExistAndLeavesNothingToTheNext() {
        set("s", 2);
        countDown("a", LATE.micros());
        poll("c", 0);
        latch.put("ends", latch.time());
        assertThat(poll("c", 1).code()).isEqualTo(ReadLatch.Code.NONE);
        assertThat(countDown("b", LATE.micros()).code()).isEqualTo(CountDown.Code.NONE);
        assertThat(set("t", 5)).isEqualTo(SetLatch.Code.SET);
        assertThat(latch.fields().keySet()).isEqualTo(Set.of("v", "n", "of", "by", "ends"));
        assertThat(poll("", 0).count()).isEqualTo(5);
    }

    /** Others may write any text as the count. */
    @ParameterizedTest
    @ValueSource(strings = {"-1", "1.5", "1e3", "0x7", "many", "2147483648", "99999999999999999999"})
    void aLatchWhoseCountIsNoNumberOf31BitsIsNone(String count) {
        set("s", 2);
        latch.put("n", count);
        assertThat(poll("", 0).code()).isEqualTo(ReadLatch.Code.NONE);
        assertThat(countDown("a", LATE.micros()).code()).isEqualTo(CountDown.Code.NONE);
        assertThat(set("t", 5)).isEqualTo(SetLatch.Code.SET);
        assertThat(poll("", 0).count()).isEqualTo(5);
    }

    @Test
    void aLateRequestChangesNothing() {
        set("s", 2);
        Object before = latch.everything();
        assertThat(countDown("a", latch.time() - 1).code()).isEqualTo(CountDown.Code.STALE);
        assertThat(latch.everything()).isEqualTo(before);
        latch.command("DEL", latch.key.key());
        assertThat(latch.send(new SetLatch(
                                latch.key,
                                id("s"),
                                1,
                                new LeaseSpan(Bench.HOUR * 1000),
                                new ServerTime(latch.time() - 1),
                                1))
                        .code())
                .isEqualTo(SetLatch.Code.STALE);
        assertThat(latch.fields()).isEmpty();
    }
}
