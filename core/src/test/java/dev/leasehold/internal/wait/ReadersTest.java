package dev.leasehold.internal.wait;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.DistributedLock;
import dev.leasehold.DistributedReadWriteLock;
import dev.leasehold.Lease;
import dev.leasehold.LockOptions;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.Renewal;
import dev.leasehold.event.LossCause;
import dev.leasehold.internal.engine.EngineRig;
import dev.leasehold.internal.engine.ScriptedTransport;
import dev.leasehold.internal.key.ReadKey;
import dev.leasehold.internal.script.AcquireScript;
import dev.leasehold.spi.TransportException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Readers of one client share a hold. */
class ReadersTest {

    private static final ReadKey READ = ReadKey.of(EngineRig.KEY);

    private final EngineRig rig = new EngineRig();
    private final List<Lease> inHand = new ArrayList<>();

    private Lease reads() {
        return reads(EngineRig.OPTIONS);
    }

    private Lease reads(LockOptions options) {
        Lease lease = rig.engine.lock(READ, options).tryAcquire().orElseThrow();
        inHand.add(lease);
        return lease;
    }

    private CompletableFuture<Lease> waits() {
        return rig.engine.lock(READ, EngineRig.OPTIONS).acquireAsync().toCompletableFuture();
    }

    private List<String> names() {
        return rig.redis.sent.stream().map(ScriptedTransport.Sent::name).toList();
    }

    @Test
    void readersJoinWithoutARequestForFiftyMilliseconds() {
        Lease first = reads();
        rig.pass(Duration.ofMillis(49));
        Lease second = reads();
        assertThat(names()).containsExactly("acquire");
        assertThat(rig.redis.last("acquire").call().script()).isEqualTo(AcquireScript.SHARED);
        assertThat(second.fencingToken()).isEqualTo(first.fencingToken());
        // The second reader has no more time than Redis has confirmed.
        assertThat(second.remaining()).isEqualTo(first.remaining());
        rig.pass(Duration.ofMillis(1));
        reads();
        assertThat(names()).containsExactly("acquire", "acquire");
    }

    @Test
    void theLastReaderReleasesTheHoldUnderItsFirstId() {
        Lease first = reads();
        Lease second = reads();
        first.release();
        assertThat(names()).containsExactly("acquire");
        assertThat(second.isHeld()).isTrue();
        second.release();
        assertThat(names()).containsExactly("acquire", "release");
        assertThat(rig.redis.last("release").arg(0)).isEqualTo("acquisition-1");
        reads();
        assertThat(names()).containsExactly("acquire", "release", "acquire");
    }

    @Test
    void readersWithAnotherLeaseTimeOrWithoutRenewalDoNotJoin() {
        reads();
        reads(EngineRig.OPTIONS.toBuilder().leaseTime(Duration.ofSeconds(10)).build());
        LockOptions unrenewed =
                EngineRig.OPTIONS.toBuilder().renewal(Renewal.none()).build();
        reads(unrenewed);
        rig.pass(Duration.ofMillis(5));
        reads(unrenewed);
        assertThat(names()).containsExactly("acquire", "acquire", "acquire", "acquire");
    }

    @Test
    void noReaderJoinsWhileAWriterOfTheClientWaits() {
        reads();
        rig.redis.answers("acquire", call -> rig.redis.reply("busy", "30000000", "7", "0"));
        CompletableFuture<Lease> writer = rig.lock().acquireAsync().toCompletableFuture();
        assertThat(rig.engine.lock(READ, EngineRig.OPTIONS).tryAcquire()).isEmpty();
        writer.cancel(false);
        reads();
    }

    @Test
    void readersBehindTheHeadJoinItWhenItIsGranted() {
        rig.redis.answers("acquire", call -> rig.redis.reply("busy", "30000000", "7", "0"));
        List<CompletableFuture<Lease>> readers = List.of(waits(), waits(), waits());
        rig.redis.answers(
                "acquire",
                call -> rig.redis.reply("granted", call.args().get(1), Long.toString(rig.time.serverMicros())));
        rig.redis.sent.clear();
        rig.redis.listeners.get(0).message("7 " + EngineRig.KEY.key());
        assertThat(readers).allSatisfy(reader -> assertThat(reader).isCompleted());
        assertThat(names()).containsExactly("acquire");
    }

    /** Otherwise each waiting reader would get a turn of its own, with a writer after it. */
    @Test
    void readersBehindTheHeadJoinItThoughAWriterOfTheClientWaits() {
        rig.redis.answers(
                "acquire",
                call -> rig.redis.reply("busy", "30000000", call.script() == AcquireScript.SHARED ? "7" : "8", "1"));
        List<CompletableFuture<Lease>> readers = List.of(waits(), waits(), waits());
        CompletableFuture<Lease> writer = rig.lock().acquireAsync().toCompletableFuture();
        rig.redis.answers(
                "acquire",
                call -> call.script() == AcquireScript.SHARED
                        ? rig.redis.reply("granted", call.args().get(1), Long.toString(rig.time.serverMicros()))
                        : rig.redis.reply("busy", "30000000", "8", "0"));
        rig.redis.sent.clear();
        rig.redis.listeners.get(0).message("7 " + EngineRig.KEY.key());
        assertThat(readers).allSatisfy(reader -> assertThat(reader).isCompleted());
        assertThat(writer).isNotDone();
        assertThat(names()).containsExactly("acquire");
        assertThat(rig.engine
                        .lock(READ, EngineRig.OPTIONS)
                        .tryAcquireAsync()
                        .toCompletableFuture()
                        .join())
                .as("a later reader sends a request")
                .isPresent();
        assertThat(names()).containsExactly("acquire", "acquire");
    }

    @Test
    void aReaderWhoseTimeIsOverLeavesTheHoldToTheOthers() {
        LockOptions once =
                EngineRig.OPTIONS.toBuilder().maxHold(Duration.ofSeconds(1)).build();
        Lease brief = reads(once);
        Lease lasting = reads();
        rig.pass(Duration.ofSeconds(45));
        assertThat(brief.isHeld()).isFalse();
        assertThat(lasting.isHeld()).isTrue();
        assertThat(rig.redis.sent("release")).isEmpty();
        lasting.release();
        assertThat(rig.redis.sent("release")).hasSize(1);
    }

    @Test
    void eachReaderIsNotifiedThatTheHoldIsGone() {
        reads();
        reads();
        rig.redis.answers("renew", call -> rig.redis.reply("gone", "taken"));
        rig.redis.answers("renew_many", call -> rig.redis.reply("each", "gone", "taken", "gone", "taken"));
        rig.pass(Duration.ofSeconds(12));
        assertThat(rig.lost)
                .extracting(loss -> loss.cause())
                .containsExactly(LossCause.TAKEN_OVER, LossCause.TAKEN_OVER);
        assertThat(rig.redis.sent("release")).isEmpty();
    }

    @Test
    void noReaderJoinsAHoldThatIsKnownToBeGone() {
        Lease first = reads();
        rig.redis.answers("renew", call -> rig.redis.reply("gone", "taken"));
        assertThat(first.extend(Duration.ofSeconds(1))).isFalse();
        reads();
        assertThat(rig.redis.sent("acquire")).hasSize(2);
    }

    @Test
    void aThreadThatReadsIsRefusedAsAWriterBeforeAnythingIsSent() {
        rig.engine.lock(READ, EngineRig.OPTIONS).lock();
        List<DistributedLock> views = List.of(
                rig.lock(),
                rig.engine.fairLock(EngineRig.KEY, EngineRig.OPTIONS),
                rig.lock().ownedBy("job"));
        for (DistributedLock view : views) {
            assertThatThrownBy(view::lock).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(view::acquire).isInstanceOf(IllegalStateException.class);
        }
        assertThatThrownBy(rig.engine.multiLock(List.of(EngineRig.KEY), EngineRig.OPTIONS)::acquire)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("Unlock the read side first");
        assertThat(names()).containsExactly("acquire");
        assertThat(rig.records()).hasSize(1);
    }

    @Test
    void aDowngradeEndsTheWritersLeaseBeforeItsRequest() {
        DistributedReadWriteLock lock = rig.engine.readWriteLock(EngineRig.KEY, EngineRig.OPTIONS);
        Lease writer = lock.writeLock().tryAcquire().orElseThrow();
        rig.redis.silent("downgrade");
        CompletableFuture<Lease> reader = lock.downgradeAsync(writer).toCompletableFuture();
        assertThat(writer.isHeld()).isFalse();
        assertThat(reader).isNotDone();
        long token = writer.fencingToken() + 5;
        rig.redis.last("downgrade").answer().complete(rig.redis.reply("shared", "30000000", Long.toString(token)));
        assertThat(reader.join().fencingToken()).isEqualTo(token);
        assertThat(reader.join().isHeld()).isTrue();
        writer.release();
        assertThat(rig.redis.sent("release")).isEmpty();
        reads();
        assertThat(rig.redis.sent("acquire")).as("it joined").hasSize(1);
    }

    @Test
    void aDowngradePassesTheHighestTokenThatTheClientKnows() {
        DistributedReadWriteLock lock = rig.engine.readWriteLock(EngineRig.KEY, EngineRig.OPTIONS);
        Lease writer = lock.writeLock().tryAcquire().orElseThrow();
        rig.redis.silent("downgrade");
        lock.downgradeAsync(writer);
        assertThat(rig.redis.last("downgrade").arg(2)).isEqualTo(Long.toString(writer.fencingToken()));
        assertThat(rig.redis.last("downgrade").arg(3))
                .as("no reader has a token")
                .isEqualTo("0");
    }

    @Test
    void aDowngradeThatWouldGetALowerTokenIsRefusedAndReleasesTheHold() {
        DistributedReadWriteLock lock = rig.engine.readWriteLock(EngineRig.KEY, EngineRig.OPTIONS);
        Lease writer = lock.writeLock().tryAcquire().orElseThrow();
        rig.redis.answers("downgrade", call -> rig.redis.reply("clock", "7"));
        assertThatThrownBy(() -> lock.downgrade(writer))
                .isInstanceOf(LockUnavailableException.class)
                .hasMessageContaining("this client has seen fencing token " + writer.fencingToken())
                .hasMessageContaining("Redis knows only 7");
        assertThat(rig.redis.sent("release")).hasSize(1);
    }

    @Test
    void aDowngradeThatItsCallerGivesUpBeforeTheAnswerReleasesTheHold() {
        DistributedReadWriteLock lock = rig.engine.readWriteLock(EngineRig.KEY, EngineRig.OPTIONS);
        Lease writer = lock.writeLock().tryAcquire().orElseThrow();
        rig.redis.silent("downgrade");
        lock.downgradeAsync(writer).toCompletableFuture().cancel(false);
        assertThat(rig.redis.sent("release")).hasSize(1);
        rig.redis.last("downgrade").answer().complete(rig.redis.reply("shared", "30000000", "7"));
        rig.pass(Duration.ofMinutes(1));
        assertThat(rig.records()).as("nothing is renewed").isEmpty();
        assertThat(rig.redis.sent("renew")).isEmpty();
        assertThat(rig.redis.sent("renew_many")).isEmpty();
    }

    @Test
    void aDowngradeThatGetsNoAnswerReleasesTheHold() {
        DistributedReadWriteLock lock = rig.engine.readWriteLock(EngineRig.KEY, EngineRig.OPTIONS);
        Lease writer = lock.writeLock().tryAcquire().orElseThrow();
        rig.redis.fails("downgrade", new TransportException("down", true, null));
        CompletableFuture<Lease> reader = lock.downgradeAsync(writer).toCompletableFuture();
        rig.pass(Duration.ofSeconds(3));
        assertThat(reader).isCompletedExceptionally();
        assertThat(rig.redis.sent("release")).hasSize(1);
        assertThat(rig.lost).isEmpty();
    }

    @Test
    void aDowngradeOfALostHoldReportsTheLoss() {
        DistributedReadWriteLock lock = rig.engine.readWriteLock(EngineRig.KEY, EngineRig.OPTIONS);
        Lease writer = lock.writeLock().tryAcquire().orElseThrow();
        rig.redis.answers("downgrade", call -> rig.redis.reply("gone", "taken"));
        CompletableFuture<Lease> reader = lock.downgradeAsync(writer).toCompletableFuture();
        assertThat(reader).isCompletedExceptionally();
        assertThat(rig.lost)
                .singleElement()
                .satisfies(loss -> assertThat(loss.cause()).isEqualTo(LossCause.TAKEN_OVER));
    }

    @Test
    void renewalsTellRedisAgainThatAFormerWriterReads() {
        DistributedReadWriteLock lock = rig.engine.readWriteLock(EngineRig.KEY, EngineRig.OPTIONS);
        Lease writer = lock.writeLock().tryAcquire().orElseThrow();
        String hold = rig.record().hold().value();
        String token = Long.toString(writer.fencingToken() + 5);
        rig.redis.answers("downgrade", call -> rig.redis.reply("shared", "30000000", token));
        Lease reader = lock.downgrade(writer);
        Lease joined = reads();
        rig.pass(Duration.ofSeconds(12));
        assertThat(rig.redis.sent("downgrade")).as("by one of the two").hasSize(2);
        ScriptedTransport.Sent again = rig.redis.last("downgrade");
        assertThat(again.arg(0)).isEqualTo(hold);
        assertThat(again.arg(3)).as("the token that the readers have").isEqualTo(token);
        reader.release();
        joined.release();
        rig.pass(Duration.ofMinutes(1));
        assertThat(rig.redis.sent("downgrade")).hasSize(2);
    }

    @Test
    void renewalsOfOtherReadersTellNothing() {
        reads();
        rig.pass(Duration.ofSeconds(12));
        assertThat(rig.redis.sent("renew")).isNotEmpty();
        assertThat(rig.redis.sent("downgrade")).isEmpty();
    }
}
