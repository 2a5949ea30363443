package dev.leasehold.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.leasehold.DistributedLock;
import dev.leasehold.Lease;
import dev.leasehold.LeaseLostException;
import dev.leasehold.LeaseNotResumableException;
import dev.leasehold.Leasehold;
import dev.leasehold.LockOptions;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.OwnedLock;
import dev.leasehold.event.LossCause;
import dev.leasehold.event.LossEvent;
import dev.leasehold.interop.Formats;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/**
 * Named owners, which acquire reentrantly from anywhere: their holds are a set, one for each acquisition. Also
 * leases that pass from one process to another: exported by one, resumed by the other.
 */
@SuppressWarnings("LockNotBeforeTry") // these tests are about locks that stay held
@Except(
        value = {Topology.QUORUM_ONE_DEAD, Topology.QUORUM_ONE_FROZEN},
        because = "a quorum has no named owners, and resumes no lease")
class OwnerContract extends WiredBase {

    @Test
    void aNamedOwnerReentersFromAnotherThreadAndAnotherClient() throws Exception {
        String name = name();
        OwnedLock here = client().lock(name).ownedBy("order-17");
        OwnedLock remote = client().lock(name).ownedBy("order-17");
        here.lock();
        assertThat(inThread(remote::tryLock).get(1, TimeUnit.MINUTES)).isTrue();
        assertThat(here.holdCount()).isEqualTo(2);
        assertThat(here.isHeld()).isTrue();
        assertThat(client().lock(name).tryLock()).isFalse();
        assertThat(client().lock(name).ownedBy("order-18").tryLock()).isFalse();
        here.unlock();
        assertThat(here.isHeld()).isTrue();
        assertThat(client().lock(name).tryLock()).isFalse();
    }

    @Test
    void aLeaseOfANamedOwnerReentersAndTheLastOneFrees() throws Exception {
        String name = name();
        OwnedLock here = client().lock(name).ownedBy("job-1");
        OwnedLock remote = client().lock(name).ownedBy("job-1");
        Lease first = here.acquire();
        Lease second = remote.acquire();
        assertThat(second.owner()).isEqualTo("job-1");
        assertThat(second.fencingToken()).isEqualTo(first.fencingToken());
        assertThat(here.holdCount()).isEqualTo(2);
        first.close();
        second.ensureHeld();
        assertThat(client().lock(name).tryAcquire()).isEmpty();
        second.close();
        assertThat(here.isHeld()).isFalse();
    }

    @Test
    void aReentryKeepsItsToken() throws Exception {
        String name = name();
        long token;
        OwnedLock owner = client().lock(name).ownedBy("o");
        try (Lease first = owner.acquire();
                Lease second = client().lock(name).ownedBy("o").acquire()) {
            assertThat(second.fencingToken()).isEqualTo(first.fencingToken());
            token = first.fencingToken();
        }
        try (Lease later = owner.acquire()) {
            assertThat(later.fencingToken()).isGreaterThan(token);
        }
    }

    @Test
    void aRetriedEntryCountsOnceAlsoWhenAnotherProcessEnteredInBetween() throws Exception {
        // finding 2 (i): with one count and one id, the retry would find the other's id and enter again.
        String name = name();
        OwnedLock remote = client().lock(name).ownedBy("o");
        CompletableFuture<Lease> between = new CompletableFuture<>();
        Wiretap wire = wire();
        OwnedLock here = client(wire, builder -> {}).lock(name).ownedBy("o");
        wire.nextAcquire((call, go) -> {
            Wiretap.executed(go);
            between.complete(remote.tryAcquire().orElseThrow());
            return Wiretap.lost();
        });
        Lease retried = here.acquire();
        Lease other = between.get(1, TimeUnit.MINUTES);
        assertThat(here.holdCount()).isEqualTo(2);
        assertThat(retried.fencingToken()).isEqualTo(other.fencingToken());
        retried.close();
        other.ensureHeld();
        other.close();
        assertThat(holds(name)).isZero();
    }

    @Test
    void aRetriedReleaseLeavesTheHoldOfAnotherProcess() throws Exception {
        // finding 2 (ii): with a count, the repeated release would take the other's hold away.
        String name = name();
        Lease other = client().lock(name).ownedBy("o").acquire();
        Wiretap wire = wire();
        Lease lease = client(wire, builder -> {}).lock(name).ownedBy("o").acquire();
        wire.next("release", (call, go) -> {
            Wiretap.executed(go);
            return Wiretap.lost();
        });
        lease.close();
        assertThat(holds(name)).isEqualTo(1);
        assertThat(client().lock(name).tryAcquire()).isEmpty();
        other.ensureHeld();
        other.close();
        assertThat(client().lock(name).tryAcquire()).isPresent();
    }

    @Test
    void aShortReentrantHoldDoesNotShortenTheHoldOfAnotherProcess() throws Exception {
        // finding 2 (iii): with one end for all, the lock would be free when the short hold ends.
        String name = name();
        OwnedLock longHold = client().lock(name).ownedBy("o").with(unrenewed(20_000));
        OwnedLock shortHold = client().lock(name).ownedBy("o").with(unrenewed(100));
        longHold.lock();
        shortHold.lock();
        await().until(() -> longHold.holdCount() == 1);
        assertThat(client().lock(name).tryLock()).isFalse();
        longHold.unlock();
        assertThat(client().lock(name).tryLock()).isTrue();
    }

    @Test
    void aForcedReleaseEndsAllHoldsOfAnOwnerAndNotifiesEach() throws Exception {
        // finding 25 (f)
        String name = name();
        AtomicInteger losses = new AtomicInteger();
        Lease here = client().lock(name).ownedBy("o").with(renewedSoon()).acquire();
        Lease remote = client().lock(name).ownedBy("o").with(renewedSoon()).acquire();
        here.onLost(event -> losses.incrementAndGet());
        remote.onLost(event -> losses.incrementAndGet());
        assertThat(client().lock(name).forceRelease()).isTrue();
        try (Lease next = client().lock(name).tryAcquire().orElseThrow()) {
            assertThat(next.fencingToken()).isGreaterThan(remote.fencingToken());
            await().until(() -> losses.get() == 2);
            next.ensureHeld();
        }
    }

    /** The string is all that passes from one process to the other, which may start after the first has ended. */
    @Test
    void aPlannedRestartKeepsTheLockThoughOthersWait() throws Exception {
        String name = name();
        try (HolderProcess before = HolderProcess.start(address(), name, Duration.ofSeconds(20))) {
            CompletableFuture<Lease> waiter = waiter(client().lock(name));
            untilWaiting(name, 1);
            String exported = before.ask("export").substring("export ".length());
            assertThat(before.ask("close")).isEqualTo("close ok");
            before.kill();
            Lease after = client().resume(exported);
            assertThat(after.name()).isEqualTo(name);
            assertThat(after.fencingToken()).isGreaterThan(before.token());
            assertThat(waiter).isNotDone();
            after.ensureHeld();
            after.close();
            assertThat(granted(waiter).fencingToken()).isGreaterThan(after.fencingToken());
        }
    }

    @Test
    void theFormerHolderLosesTheLockAtOnceAndIsNotifiedAtItsNextRenewal() throws Exception {
        String name = name();
        try (HolderProcess former = HolderProcess.start(address(), name, Duration.ofSeconds(3))) {
            String exported = former.ask("export").substring("export ".length());
            assertThat(former.ask("held")).isEqualTo("held true");
            Lease next = client().resume(exported, renewedSoon());
            assertThat(next.fencingToken()).isGreaterThan(former.token());
            assertThat(former.ask("losses")).isEqualTo("losses 1");
            assertThat(former.ask("held")).isEqualTo("held false");
            assertThat(former.ask("close")).isEqualTo("close ok");
            next.ensureHeld();
            assertThat(holds(name)).isEqualTo(1);
        }
        Lease lease = client().lock(name()).with(renewedSoon()).acquire();
        Lease next = client().resume(lease.export());
        CompletableFuture<LossEvent> loss = new CompletableFuture<>();
        lease.onLost(loss::complete);
        assertThat(loss.get(1, TimeUnit.MINUTES).cause()).isEqualTo(LossCause.TAKEN_OVER);
        assertThatThrownBy(lease::release).isInstanceOf(LeaseLostException.class);
        next.ensureHeld();
    }

    @Test
    void anExportedStringWorksOnceHoweverManyTryAtTheSameTime() throws Exception {
        Lease lease = client().lock(name()).acquire();
        String exported = lease.export();
        assertThat(lease.export()).isEqualTo(exported);
        List<CompletableFuture<Lease>> tries = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            tries.add(client().resumeAsync(exported).toCompletableFuture());
        }
        soon().until(() -> tries.stream().allMatch(CompletableFuture::isDone));
        List<CompletableFuture<Lease>> refused = tries.stream()
                .filter(CompletableFuture::isCompletedExceptionally)
                .toList();
        assertThat(refused)
                .hasSize(7)
                .allSatisfy(one -> assertThatThrownBy(one::join)
                        .hasCauseInstanceOf(LeaseNotResumableException.class)
                        .hasMessageContaining("resumed already"));
        Lease next = tries.stream()
                .filter(one -> !one.isCompletedExceptionally())
                .findFirst()
                .orElseThrow()
                .join();
        String again = next.export();
        assertThat(client().resume(again).fencingToken()).isGreaterThan(next.fencingToken());
    }

    @Test
    void whatWasReleasedOrTakenAwayOrHasEndedIsNotResumed() throws Exception {
        String name = name();
        Lease released = client().lock(name).acquire();
        String first = released.export();
        released.release();
        assertNotResumable(first);
        String second = client().lock(name).acquire().export();
        assertThat(client().lock(name).forceRelease()).isTrue();
        assertNotResumable(second);
        String third = client().lock(name).with(unrenewed(100)).acquire().export();
        DistributedLock any = client().lock(name);
        await().ignoreException(LockUnavailableException.class)
                .until(() -> any.inspect().isEmpty());
        assertNotResumable(third);
        try (Lease other = client().lock(name).acquire()) {
            assertNotResumable(third);
            other.ensureHeld();
        }
        assertThatThrownBy(() -> client().resume("lh1.nothing")).isInstanceOf(IllegalArgumentException.class);
    }

    private void assertNotResumable(String exported) {
        assertThatThrownBy(() -> client().resume(exported)).isInstanceOf(LeaseNotResumableException.class);
    }

    @Test
    void aLeaseIsNotResumedUnderANameThatTheClientKeepsInAnotherFormat() throws Exception {
        String name = name();
        Lease lease = client().lock(name).acquire();
        String exported = lease.export();
        Leasehold migrating =
                client(server().uri(), builder -> builder.lockFormat(name.charAt(0) + "*", Formats.redisson()));
        for (ThrowingCallable resume :
                List.<ThrowingCallable>of(() -> migrating.resume(exported), () -> migrating.resumeAsync(exported))) {
            assertThatThrownBy(resume)
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("resume(exported) is refused for '" + name + "'");
        }
        lease.ensureHeld();
    }

    @Test
    void closingLeavesAnExportedHoldToTheResumingProcess() throws Exception {
        String name = name();
        String ofLease;
        try (Lease lease = client().lock(name).acquire()) {
            ofLease = lease.export();
        }
        assertThat(client().lock(name).tryAcquire()).isEmpty();
        Lease next;
        String ofClient;
        try (Leasehold brief = client()) {
            next = brief.resume(ofLease);
            ofClient = next.export();
        }
        assertThat(next.isHeld()).isFalse();
        assertThat(client().lock(name).tryAcquire()).isEmpty();
        try (Lease last = client().resume(ofClient)) {
            assertThat(last.isHeld()).isTrue();
        }
        assertThat(client().lock(name).inspect()).isEmpty();
    }

    @Test
    void aResumedLeaseHasTheLengthAndRenewalOfTheResumingCall() throws Exception {
        String name = name();
        String exported = client().lock(name).with(unrenewed(40_000)).acquire().export();
        Lease renewed = client().resume(exported, renewedSoon());
        assertThat(renewed.remaining()).isLessThan(renewedSoon().leaseTime());
        long end = holdEnd(name);
        await().until(() -> holdEnd(name) > end);
        Lease ending = client().resume(renewed.export(), unrenewed(100));
        await().until(() -> !ending.isHeld());
        assertThat(client().lock(name).acquire(LIMIT).isHeld()).isTrue();
    }

    @Test
    void aResumeWhoseAnswerIsLostFindsItsOwnHold() throws Exception {
        String name = name();
        Lease former = client().lock(name).acquire();
        Wiretap wire = wire();
        Leasehold leasehold = client(wire, builder -> {});
        wire.next("resume", (call, go) -> {
            Wiretap.executed(go);
            return Wiretap.lost();
        });
        Lease next = leasehold.resume(former.export());
        assertThat(next.fencingToken()).isEqualTo(Long.parseLong(field(name, "last")));
        assertThat(next.fencingToken()).isGreaterThan(former.fencingToken());
        assertThat(holds(name)).isEqualTo(1);
        next.close();
        assertThat(client().lock(name).tryAcquire()).isPresent();
    }

    @Test
    void aResumeThatIsNeverAnsweredLeavesNothingHeld() throws Exception {
        String name = name();
        Lease former = client().lock(name).acquire();
        Wiretap wire = wire();
        Leasehold leasehold = client(wire, builder -> builder.commandTimeout(Duration.ofMillis(300)));
        wire.all((call, go) -> {
            if (call.script().name().equals("resume")) {
                Wiretap.executed(go);
                return Wiretap.lost();
            }
            return go.get();
        });
        assertThatThrownBy(() -> leasehold.resume(former.export()))
                .isInstanceOfSatisfying(
                        LockUnavailableException.class,
                        e -> assertThat(e.mayBeTaken()).isTrue());
        DistributedLock any = client().lock(name);
        await().ignoreException(LockUnavailableException.class)
                .until(() -> any.inspect().isEmpty());
        assertThat(former.extend(Duration.ofSeconds(1))).isFalse();
    }

    @Test
    void aCopyOfAResumeThatArrivesAfterItsCallerHasLeftTakesNothing() throws Exception {
        String name = name();
        Lease former = client().lock(name).acquire();
        Wiretap wire = wire();
        Leasehold leasehold = client(wire, builder -> builder.commandTimeout(Duration.ofMillis(300)));
        Queue<Supplier<CompletionStage<List<String>>>> late = new ConcurrentLinkedQueue<>();
        wire.all((call, go) -> {
            if (call.script().name().equals("resume")) {
                late.add(go);
                return Wiretap.lost();
            }
            return go.get();
        });
        assertThatThrownBy(() -> leasehold.resume(former.export())).isInstanceOf(LockUnavailableException.class);
        await().until(() -> !field(name, "xn").equals("null"));
        assertThat(late)
                .isNotEmpty()
                .allSatisfy(copy -> assertThat(Wiretap.executed(copy)).first().isEqualTo("stale"));
        former.ensureHeld();
        assertThat(former.extend(Duration.ofSeconds(1))).isTrue();
        wire.none();
        assertThat(leasehold.resume(former.export()).isHeld()).isTrue();
    }

    @Test
    void aNamedOwnerResumesItsOnlyHoldAndEntersAgainWithTheNewToken() throws Exception {
        String name = name();
        Lease first = client().lock(name).ownedBy("订单-7").acquire();
        Lease second = client().lock(name).ownedBy("订单-7").acquire();
        assertThatThrownBy(() -> client().resume(first.export()))
                .isInstanceOf(LeaseNotResumableException.class)
                .hasMessageContaining("ownedBy");
        second.close();
        first.ensureHeld();
        Lease resumed = client().resume(first.export());
        assertThat(resumed.owner()).isEqualTo("订单-7");
        assertThat(resumed.fencingToken()).isGreaterThan(first.fencingToken());
        try (Lease again = client().lock(name).ownedBy("订单-7").acquire()) {
            assertThat(again.fencingToken()).isEqualTo(resumed.fencingToken());
        }
    }

    @Test
    void aFairLockIsResumedPastItsQueueWhichKeepsItsOrder() throws Exception {
        String name = name();
        Lease former = client().fairLock(name).acquire();
        List<CompletableFuture<Lease>> waiters = new ArrayList<>();
        for (int i = 1; i <= 3; i++) {
            waiters.add(waiter(client().fairLock(name)));
            untilWaiting(name, i);
        }
        Lease next = client().resume(former.export());
        for (CompletableFuture<Lease> waiter : waiters) {
            assertThat(waiter).isNotDone();
            next.close();
            next = granted(waiter);
        }
    }

    @Test
    void aWriterIsResumedAndMayBecomeAReader() throws Exception {
        String name = name();
        Lease former = client().readWriteLock(name).writeLock().acquire();
        Leasehold leasehold = client();
        Lease next = leasehold.resume(former.export());
        assertThat(client().readWriteLock(name).readLock().tryAcquire()).isEmpty();
        Lease reader = leasehold.readWriteLock(name).downgrade(next);
        assertThat(reader.fencingToken()).isGreaterThan(next.fencingToken());
        assertThat(client().readWriteLock(name).readLock().tryAcquire()).isPresent();
    }

    /** Redis knows the hold under the id of the first lease of a run, and all tokens of the run. */
    @Test
    void aLeaseThatWasHandedTheLockIsResumedWithATokenAboveAllOfItsRun() throws Exception {
        String name = name();
        Leasehold leasehold = client();
        Lease first = client().lock(name).acquire();
        CompletableFuture<Lease> one = waiter(leasehold.lock(name));
        CompletableFuture<Lease> other = waiter(leasehold.lock(name));
        untilWaiting(name, 1);
        first.close();
        granted(one).close();
        Lease handed = granted(other);
        Lease next = client().resume(handed.export());
        assertThat(next.fencingToken()).isGreaterThan(handed.fencingToken());
        assertThat(field(name, "tok")).isEqualTo("null");
        assertThat(field(name, "last")).isEqualTo(Long.toString(next.fencingToken()));
        handed.close();
        next.ensureHeld();
    }

    @Test
    void leasesWithoutATransferableHoldAreNotExported() throws Exception {
        String name = name();
        try (Lease plain = client().lock(name + ":plain", Formats.plain()).acquire();
                Lease reader = client().readWriteLock(name + ":read").readLock().acquire();
                Lease several = client().allOf(name + ":1", name + ":2").acquire()) {
            for (Lease lease : List.of(plain, reader, several)) {
                assertThatThrownBy(lease::export)
                        .isInstanceOf(UnsupportedOperationException.class)
                        .hasMessageContaining(name);
                lease.ensureHeld();
            }
        }
    }

    @Test
    void anExportedStringIsNeitherLoggedNorQuoted() throws Exception {
        String name = name();
        List<String> said = new ArrayList<>();
        List<String> secrets = new ArrayList<>();
        try (CapturedLog log = new CapturedLog(getClass())) {
            Lease lease = client().lock(name).with(renewedSoon()).acquire();
            String hold = field(name, "own");
            String exported = lease.export();
            secrets.addAll(List.of(exported, exported.substring(10, 40), hold));
            said.add(lease.toString());
            Lease next = client().resume(exported);
            said.add(next.toString());
            for (String wrong : List.of(exported, exported + "x", exported.substring(1), exported.substring(0, 30))) {
                said.add(catchThrowable(() -> client().resume(wrong)).toString());
            }
            await().until(() -> !lease.isHeld());
            said.add(catchThrowable(lease::ensureHeld).toString());
            lease.close();
            next.close();
            // The loss is logged, perhaps a moment after it is known.
            await().until(() -> log.messages().stream().anyMatch(text -> text.contains(name)));
            said.addAll(log.messages());
        }
        assertThat(said).hasSizeGreaterThan(7);
        for (String secret : secrets) {
            assertThat(said).noneMatch(text -> text.contains(secret));
        }
    }

    @Test
    void aLongOwnerNameIsKeptAsAHashAndStillReenters() throws Exception {
        String owner = "订单-".repeat(20);
        String name = name();
        OwnedLock here = client().lock(name).ownedBy(owner);
        here.lock();
        assertThat(field(name, "own")).startsWith("n#").hasSizeLessThan(64);
        assertThat(here.owner()).isEqualTo(owner);
        assertThat(client().lock(name).ownedBy(owner).tryLock()).isTrue();
        assertThat(client().lock(name).ownedBy(owner + "!").tryLock()).isFalse();
    }

    @Test
    void noValueOfALockIsEverLongSoThatRedisKeepsItCompact() throws Exception {
        // finding 25 (a): one value above 64 bytes triples the memory of the key.
        String name = name();
        LockOptions labelled = LockOptions.builder().label("标".repeat(21)).build();
        CompletableFuture<Lease> acquired = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> acquired.complete(client().lock(name)
                        .with(labelled)
                        .ownedBy("o".repeat(512))
                        .tryAcquire()
                        .orElseThrow()),
                "线".repeat(100));
        thread.start();
        try (Lease lease = acquired.get(1, TimeUnit.MINUTES)) {
            assertThat(lease.owner()).hasSize(512);
            assertThat(values(name))
                    .isNotEmpty()
                    .allSatisfy((field, value) -> assertThat(value.getBytes(StandardCharsets.UTF_8))
                            .as(field)
                            .hasSizeLessThan(64));
        }
    }

    private Map<String, String> values(String name) {
        Map<String, String> values = new TreeMap<>();
        for (Object field : list(server().command("HKEYS", key(name)))) {
            values.put(field.toString(), field(name, field.toString()));
        }
        return values;
    }
}
