package dev.leasehold.tck.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.CountDownId;
import dev.leasehold.internal.key.LatchKey;
import dev.leasehold.internal.store.CountDown;
import dev.leasehold.internal.store.LeaseSpan;
import dev.leasehold.internal.store.ReadLatch;
import dev.leasehold.internal.store.ServerTime;
import dev.leasehold.internal.store.SetLatch;
import dev.leasehold.internal.store.Waiter;
import dev.leasehold.recipes.DistributedLatch;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.WithRedis;
import java.util.List;
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

    private LatchKey whole() {
        return new LatchKey(latch.key);
    }

    private LatchKey round(long number) {
        return whole().round(number);
    }

    private SetLatch.Code set(String id, int count) {
        return set(whole(), id, count, Bench.HOUR);
    }

    private SetLatch.Code set(LatchKey which, String id, int count, long expiry) {
        return latch.send(new SetLatch(which, id(id), count, new LeaseSpan(expiry * 1000), LATE, 1))
                .code();
    }

    private SetLatch.Code set(long round, String id, int count) {
        return set(round(round), id, count, Bench.HOUR);
    }

    private CountDown.Answer countDown(String id, long notAfter) {
        return latch.send(new CountDown(whole(), id(id), new ServerTime(notAfter), 1));
    }

    private CountDown.Answer countDown(long round, String id) {
        return latch.send(new CountDown(round(round), id(id), LATE, 1));
    }

    private ReadLatch.Answer poll(String channel, long position) {
        return latch.send(new ReadLatch(whole(), new Waiter(channel, position), 1));
    }

    private ReadLatch.Answer poll(long round, String channel, long position) {
        return latch.send(new ReadLatch(round(round), new Waiter(channel, position), 1));
    }

    private ReadLatch.Code poll(long round) {
        return latch.send(new ReadLatch(round(round), Waiter.NONE, 1)).code();
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
                                whole(),
                                id("s"),
                                1,
                                new LeaseSpan(Bench.HOUR * 1000),
                                new ServerTime(latch.time() - 1),
                                1))
                        .code())
                .isEqualTo(SetLatch.Code.STALE);
        assertThat(latch.fields()).isEmpty();
    }

    @Test
    void aRoundFollowsAReachedOneAndKeepsItReached() {
        assertThat(set(1, "s", 1)).isEqualTo(SetLatch.Code.SET);
        assertThat(latch.fields().keySet()).isEqualTo(Set.of("v", "n", "of", "by", "ends", "rd", "rf"));
        assertThat(poll(1, "c", 0).position()).isEqualTo(1);
        assertThat(set(2, "t", 1)).as("round 1 counts").isEqualTo(SetLatch.Code.THERE);
        assertThat(poll(2)).isEqualTo(ReadLatch.Code.NONE);
        assertThat(countDown(2, "a").code()).isEqualTo(CountDown.Code.NONE);
        assertThat(countDown(1, "a").count()).isZero();
        assertThat(set(2, "t", 3)).isEqualTo(SetLatch.Code.SET);
        assertThat(latch.fields().keySet()).isEqualTo(Set.of("v", "n", "of", "by", "ends", "rd", "rf"));
        assertThat(latch.expiry()).isEqualTo((Long.parseLong(latch.field("ends")) + 999) / 1000);
        assertThat(poll(1)).isEqualTo(ReadLatch.Code.REACHED);
        assertThat(poll(2, "", 0).count()).isEqualTo(3);
    }

    @Test
    void lateCopiesForAFormerRoundLeaveThePresentOneAsItIs() {
        set(1, "s", 1);
        countDown(1, "a");
        set(2, "t", 3);
        Object before = latch.everything();
        assertThat(countDown(1, "a").code()).isEqualTo(CountDown.Code.OVER);
        assertThat(countDown(1, "b").code()).isEqualTo(CountDown.Code.OVER);
        assertThat(set(1, "s", 1)).isEqualTo(SetLatch.Code.THERE);
        assertThat(set(1, "u", 9)).isEqualTo(SetLatch.Code.THERE);
        assertThat(set(2, "t", 3)).as("a repeat of its own call").isEqualTo(SetLatch.Code.SET);
        assertThat(poll(1, "c", 0).code()).isEqualTo(ReadLatch.Code.REACHED);
        assertThat(latch.everything()).isEqualTo(before);
    }

    @Test
    void roundsThatNobodySetAreNotReached() {
        set(3, "s", 1);
        assertThat(poll(2)).isEqualTo(ReadLatch.Code.NONE);
        countDown(3, "a");
        set(4, "t", 1);
        assertThat(poll(3)).isEqualTo(ReadLatch.Code.REACHED);
        countDown(4, "a");
        // 5 is left out.
        assertThat(set(6, "u", 1)).isEqualTo(SetLatch.Code.SET);
        assertThat(poll(5)).isEqualTo(ReadLatch.Code.NONE);
        assertThat(countDown(5, "a").code()).isEqualTo(CountDown.Code.NONE);
        assertThat(poll(4)).as("of a run that has ended").isEqualTo(ReadLatch.Code.NONE);
        countDown(6, "a");
        assertThat(set(7, "v", 1)).isEqualTo(SetLatch.Code.SET);
        assertThat(poll(6)).isEqualTo(ReadLatch.Code.REACHED);
        assertThat(poll(5)).isEqualTo(ReadLatch.Code.NONE);
    }

    @Test
    void aRoundLastsAsLongAsTheOneItFollows() {
        set(1, "s", 1);
        String ends = latch.field("ends");
        countDown(1, "a");
        assertThat(set(round(2), "t", 1, Bench.SECOND)).isEqualTo(SetLatch.Code.SET);
        assertThat(latch.field("ends")).isEqualTo(ends);
        countDown(2, "a");
        assertThat(set(round(3), "u", 1, 2 * Bench.HOUR)).isEqualTo(SetLatch.Code.SET);
        assertThat(Long.parseLong(latch.field("ends"))).isGreaterThan(Long.parseLong(ends));
    }

    @Test
    void aRoundThatHasExpiredIsNotThereAndAnyOtherMayBeSet() {
        set(5, "s", 2);
        countDown(5, "a");
        latch.put("ends", latch.time());
        assertThat(poll(5)).isEqualTo(ReadLatch.Code.NONE);
        assertThat(countDown(5, "b").code()).isEqualTo(CountDown.Code.NONE);
        assertThat(set(5, "t", 1)).isEqualTo(SetLatch.Code.SET);
        assertThat(poll(4)).isEqualTo(ReadLatch.Code.NONE);
    }

    @Test
    void aLatchWithRoundsAndOneWithoutRefuseEachOther() {
        set("s", 2);
        assertThat(set(1, "t", 1)).isEqualTo(SetLatch.Code.FOREIGN);
        assertThat(poll(1)).isEqualTo(ReadLatch.Code.FOREIGN);
        assertThat(countDown(1, "a").code()).isEqualTo(CountDown.Code.FOREIGN);
        assertThat(latch.send(new ReadLatch(LatchKey.any(latch.key), Waiter.NONE, 1))
                        .round())
                .isNegative();
        latch.command("DEL", latch.key.key());
        set(1, "s", 2);
        assertThat(set("t", 1)).isEqualTo(SetLatch.Code.FOREIGN);
        assertThat(poll("c", 0).found()).isEqualTo("layout latch rounds 1");
        assertThat(countDown("a", LATE.micros()).code()).isEqualTo(CountDown.Code.FOREIGN);
        ReadLatch.Answer any = latch.send(new ReadLatch(LatchKey.any(latch.key), Waiter.NONE, 1));
        assertThat(any.round()).isEqualTo(1);
        assertThat(any.count()).isEqualTo(2);
        assertThat(latch.fields().keySet()).isEqualTo(Set.of("v", "n", "of", "by", "ends", "rd", "rf"));
    }

    /** The memory is full, or the user may not write: the round that was reached must stay so. */
    @Test
    void aRefusalLeavesTheReachedRound() {
        set(1, "s", 1);
        countDown(1, "a");
        Object before = latch.everything();
        for (String refused : List.of("-hset", "-pexpireat")) {
            latch.command("ACL", "SETUSER", "default", refused);
            try {
                assertThatThrownBy(() -> set(2, "t", 1)).isInstanceOf(Wire.ErrorReply.class);
            } finally {
                latch.command("ACL", "SETUSER", "default", "+@all");
            }
            assertThat(latch.everything()).as(refused).isEqualTo(before);
            assertThat(poll(1)).isEqualTo(ReadLatch.Code.REACHED);
        }
        latch.command("CONFIG", "SET", "maxmemory", "1");
        try {
            assertThatThrownBy(() -> set(2, "t", 1))
                    .isInstanceOf(Wire.ErrorReply.class)
                    .hasMessageContaining("OOM");
        } finally {
            latch.command("CONFIG", "SET", "maxmemory", "0");
        }
        assertThat(latch.everything()).isEqualTo(before);
    }

    @Test
    void theLargestNumbersCount() {
        long most = DistributedLatch.MAX_ROUND;
        assertThat(set(most - 1, "s", 1)).isEqualTo(SetLatch.Code.SET);
        countDown(most - 1, "a");
        assertThat(set(most, "t", 1)).isEqualTo(SetLatch.Code.SET);
        assertThat(poll(most - 1)).isEqualTo(ReadLatch.Code.REACHED);
        assertThat(poll(most)).isEqualTo(ReadLatch.Code.COUNTING);
    }
}
