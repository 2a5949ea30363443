package dev.leasehold.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.DistributedLock;
import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LeaseholdBuilder.Preflight;
import dev.leasehold.LockOptions;
import dev.leasehold.Renewal;
import dev.leasehold.diagnostics.Diagnostics;
import dev.leasehold.diagnostics.Finding;
import dev.leasehold.event.LeaseholdListener;
import dev.leasehold.event.LossCause;
import dev.leasehold.event.LossEvent;
import dev.leasehold.event.RenewedEvent;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** The engine's conclusions from answers that are lost, late, malformed or immediate, in a deterministic order. */
@Except(
        value = {
            Topology.TLS_AND_ACL,
            Topology.SENTINEL,
            Topology.CLUSTER,
            Topology.QUORUM_ONE_DEAD,
            Topology.QUORUM_ONE_FROZEN
        },
        because = "it tests the engine, which is the same on every topology")
class AnswerContract extends WiredBase {

    private final Queue<String> renewed = new ConcurrentLinkedQueue<>();
    private final Queue<LossEvent> losses = new ConcurrentLinkedQueue<>();

    private Leasehold listening(Wiretap wire) {
        renewed.clear();
        losses.clear();
        return client(
                wire,
                builder -> builder.listener(new LeaseholdListener() {
                    @Override
                    public void renewed(RenewedEvent event) {
                        renewed.add(event.lockName());
                    }

                    @Override
                    public void lost(LossEvent event) {
                        losses.add(event);
                    }
                }));
    }

    private long renewalsOf(String name) {
        return renewed.stream().filter(name::equals).count();
    }

    @Test
    void aHoldThatHasEndedInRedisIsLostAndNotRevivedByRenewalAlthoughTheLockIsFree() throws Exception {
        // finding 5: a renewal of an ended hold answers "ended", even if the lock is free.
        String name = name();
        try (Leasehold leasehold = listening(wire())) {
            Lease lease = leasehold.lock(name).with(renewedSoon()).acquire();
            endHold(name);
            await().until(() -> !losses.isEmpty());
            assertThat(losses).extracting(LossEvent::cause).containsExactly(LossCause.ENDED);
            assertThat(lease.isHeld()).isFalse();
            client().lock(name).tryAcquire().orElseThrow().close();
        }
    }

    @Test
    void anExtensionOfAHoldThatHasEndedInRedisIsRefusedAndTheLeaseLost() throws Exception {
        // finding 5
        String name = name();
        Lease lease = client().lock(name).with(unrenewed(20_000)).acquire();
        endHold(name);
        assertThat(lease.extend(Duration.ofSeconds(5))).isFalse();
        assertThat(lease.isHeld()).isFalse();
        client().lock(name).tryAcquire().orElseThrow().close();
    }

    @Test
    void anAnswerToARenewalThatArrivesAfterTheReleaseChangesNothing() throws Exception {
        // finding 18: late answers are listed edges without effect; one that threw would drop others with it.
        String name = name();
        String other = name();
        CompletableFuture<Runnable> answer = new CompletableFuture<>();
        Wiretap wire = wire();
        Leasehold leasehold = listening(wire);
        try (CapturedLog log = new CapturedLog(getClass())) {
            wire.all((call, go) -> {
                boolean chosen =
                        call.script().name().equals("renew") && call.keys().contains(key(name));
                CompletionStage<List<String>> reply = go.get();
                return chosen ? late(reply, answer) : reply;
            });
            Lease lease = leasehold.lock(name).with(renewedSoon()).acquire();
            // Leases of different lengths share no call.
            LockOptions longer =
                    renewedSoon().toBuilder().leaseTime(Duration.ofSeconds(21)).build();
            Lease stays = leasehold.lock(other).with(longer).acquire();
            Runnable arrives = answer.get(1, TimeUnit.MINUTES);
            lease.close();
            arrives.run();
            long before = renewalsOf(other);
            await().until(() -> renewalsOf(other) >= before + 5);
            stays.close();
            assertThat(log.bugs()).isEmpty();
        }
        assertThat(holds(name)).isZero();
        assertThat(renewalsOf(name)).isZero();
        assertThat(losses).isEmpty();
    }

    /** Returns the same answer, which arrives when the test completes it. */
    private static CompletionStage<List<String>> late(
            CompletionStage<List<String>> reply, CompletableFuture<Runnable> arrival) {
        CompletableFuture<List<String>> late = new CompletableFuture<>();
        reply.whenComplete((value, failure) -> arrival.complete(() -> late.complete(value)));
        return late;
    }

    @Test
    void aConfirmationThatArrivesAfterTheDeadlineRevivesNothingAndTheHoldIsReleased() throws Exception {
        // finding 13: the renewal was executed, its answer came too late: lost, and the name must not stay blocked.
        String name = name();
        Queue<CompletableFuture<Runnable>> answers = new ConcurrentLinkedQueue<>();
        Wiretap wire = wire();
        Leasehold leasehold = listening(wire);
        try (CapturedLog log = new CapturedLog(getClass())) {
            wire.all((call, go) -> {
                if (!call.script().name().equals("renew")) {
                    return go.get();
                }
                CompletableFuture<Runnable> answer = new CompletableFuture<>();
                answers.add(answer);
                return late(go.get(), answer);
            });
            LockOptions options =
                    lease(2000).toBuilder().renewal(Renewal.afterRatio(0.05)).build();
            Lease lease = leasehold.lock(name).with(options).acquire();
            await().until(() -> !losses.isEmpty());
            assertThat(answers).isNotEmpty();
            for (CompletableFuture<Runnable> answer : answers) {
                answer.get(1, TimeUnit.MINUTES).run();
            }
            isGivenBack(name);
            assertThat(lease.isHeld()).isFalse();
            assertThat(losses).extracting(LossEvent::cause).containsExactly(LossCause.UNCONFIRMED);
            assertThat(log.bugs()).isEmpty();
        }
    }

    @Test
    void aTransportThatBlocksDoesNotDelayTheNotificationOfALoss() throws Exception {
        // finding 15: a synchronous adapter blocks, so the timing wheel never calls it.
        CountDownLatch never = new CountDownLatch(1);
        Wiretap wire = wire();
        Leasehold leasehold = listening(wire);
        leasehold.lock(name()).with(lease(600)).acquire();
        leasehold.lock(name()).with(unrenewed(900)).acquire();
        wire.all((call, go) -> {
            uninterruptibly(never);
            return go.get();
        });
        try {
            await().until(() -> losses.size() == 2);
        } finally {
            never.countDown();
            wire.none();
        }
    }

    private static void uninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aMalformedAnswerForOneLeaseIsRetriedAndAffectsNoOther() throws Exception {
        // finding 15: each entry of an answer is judged separately; every error except "not yours" is retried.
        String name = name();
        String other = name();
        AtomicInteger senseless = new AtomicInteger();
        Wiretap wire = wire();
        Leasehold leasehold = listening(wire);
        Lease lease = leasehold.lock(name).with(renewedSoon()).acquire();
        Lease stays = leasehold.lock(other).with(renewedSoon()).acquire();
        wire.all((call, go) -> {
            if (call.keys().contains(key(name)) && senseless.getAndIncrement() % 2 == 0) {
                return CompletableFuture.completedFuture(List.of("what?"));
            }
            return go.get();
        });
        await().until(() -> renewalsOf(name) >= 2 && renewalsOf(other) >= 2);
        assertThat(senseless.get()).isGreaterThanOrEqualTo(4);
        lease.ensureHeld();
        stays.ensureHeld();
        assertThat(losses).isEmpty();
        wire.none();
    }

    @Test
    void aTransportThatAnswersAtOnceOnTheCallersThreadServesAsWell() throws Exception {
        // finding 15: immediate answers must not recurse, however many there are.
        String name = name();
        AtomicInteger calls = new AtomicInteger();
        Wiretap wire = wire();
        wire.all((call, go) -> {
            calls.incrementAndGet();
            return CompletableFuture.completedFuture(Wiretap.executed(go));
        });
        Leasehold leasehold = listening(wire);
        try (Lease held = leasehold.lock(name).with(renewedSoon()).acquire()) {
            DistributedLock lock = leasehold.lock(name).with(renewedSoon());
            CompletableFuture<Lease> blocking = inThread(() -> lock.acquire(Duration.ofSeconds(15)));
            CompletableFuture<Lease> waiting = lock.acquireAsync().toCompletableFuture();
            CompletableFuture<Void> both =
                    CompletableFuture.allOf(blocking.thenAccept(Lease::close), waiting.thenAccept(Lease::close));
            await().until(() -> calls.get() > 300 && renewalsOf(name) >= 3);
            held.close();
            both.get(1, TimeUnit.MINUTES);
        }
        isGivenBack(name);
        assertThat(losses).isEmpty();
    }

    /** Of a cold process: a service with a short command timeout did not start on a busy machine. */
    @Test
    void eachOfTheFirstAnswersMayTakeLongerThanTheCommandTimeout() {
        Duration timeout = Duration.ofMillis(100);
        Executor later = CompletableFuture.delayedExecutor(3 * timeout.toMillis(), TimeUnit.MILLISECONDS);
        AtomicInteger calls = new AtomicInteger();
        Wiretap wire = wire();
        wire.all((call, go) -> {
            calls.incrementAndGet();
            return go.get().thenApplyAsync(Function.identity(), later);
        });
        Leasehold leasehold = client(
                wire,
                builder -> builder.preflight(Preflight.WARN)
                        .commandTimeout(timeout)
                        .connectTimeout(TransportCalls.LIMIT));
        assertThat(calls.get()).isPositive();
        assertThat(Diagnostics.of(leasehold).lastFindings())
                .filteredOn(finding -> finding.subject().equals("rights"))
                .extracting(Finding::level)
                .containsOnly(Finding.Level.FINE);
    }
}
