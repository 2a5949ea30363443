package dev.leasehold.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.DistributedLock;
import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.event.AcquiredEvent;
import dev.leasehold.event.LeaseholdListener;
import dev.leasehold.recipes.Candidacy;
import dev.leasehold.recipes.DemotionReason;
import dev.leasehold.recipes.Elections;
import dev.leasehold.recipes.LeaderListener;
import dev.leasehold.recipes.Term;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** The end of a client: it leaves nothing behind, and no caller waits for ever. */
class CloseContract extends WiredBase {

    /** What tests still use: a lease that nothing refers to is not renewed. */
    private final List<Object> used = new ArrayList<>();

    @Test
    void closingTheClientReleasesWhatItHoldsAndWakesItsWaiters() throws Exception {
        String name = name();
        String other = name();
        Leasehold closing = client();
        Lease held = closing.lock(name).acquire();
        Lease foreign = client().lock(other).acquire();
        CompletableFuture<Lease> waiting = inThread(() -> closing.lock(other).acquire());
        untilWaiting(other, 1);
        closing.close();
        assertThatThrownBy(() -> waiting.get(1, TimeUnit.MINUTES))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
        assertThat(holds(name)).isZero();
        assertThat(held.isHeld()).isFalse();
        held.close();
        foreign.ensureHeld();
        assertThatThrownBy(() -> closing.lock(name))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
        closing.close();
    }

    @Test
    void useAfterCloseIsRefused() throws Exception {
        Leasehold leasehold = client();
        DistributedLock lock = leasehold.lock(name());
        leasehold.close();
        for (Executable use :
                List.<Executable>of(lock::tryAcquire, lock::lock, lock::tryLock, lock::acquire, lock::inspect)) {
            assertThatThrownBy(use::execute)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("closed");
        }
        assertThat(lock.acquireAsync().toCompletableFuture()).isCompletedExceptionally();
    }

    @Test
    void aClientThatIsClosedWhileItAcquiresLeavesNothingHeld() throws Exception {
        // hazard 7: granted, but the answer is still on its way when the client closes.
        String name = name();
        CompletableFuture<Boolean> granted = new CompletableFuture<>();
        CompletableFuture<List<String>> answer = new CompletableFuture<>();
        Wiretap wire = wire();
        wire.nextAcquire((call, go) -> {
            CompletionStage<List<String>> reply = go.get();
            reply.whenComplete((value, failure) -> granted.complete(true));
            return reply.thenCombine(answer, (value, now) -> value);
        });
        Leasehold leasehold = client(wire, builder -> builder.commandTimeout(Duration.ofSeconds(3)));
        CompletableFuture<Lease> acquiring = inThread(() -> leasehold.lock(name).acquire());
        granted.get(1, TimeUnit.MINUTES);
        CompletableFuture<Boolean> closing = inThread(() -> {
            leasehold.close();
            return true;
        });
        await().until(() -> HolderProcess.refusesNewWork(leasehold));
        answer.complete(List.of());
        closing.get(1, TimeUnit.MINUTES);
        assertThatThrownBy(() -> acquiring.get(1, TimeUnit.MINUTES))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(IllegalStateException.class);
        assertThat(holds(name)).isZero();
    }

    @Test
    void aReleaseThatIsUnderWayWhenTheClientClosesIsFinished() throws Exception {
        String name = name();
        CompletableFuture<Boolean> leaving = new CompletableFuture<>();
        Wiretap wire = wire();
        Leasehold leasehold = client(wire, builder -> {});
        Lease lease = leasehold.lock(name).acquire();
        wire.next("release", (call, go) -> {
            leaving.complete(true);
            await().until(() -> HolderProcess.refusesNewWork(leasehold));
            return go.get();
        });
        CompletableFuture<Boolean> releasing = inThread(() -> {
            lease.close();
            return true;
        });
        leaving.get(1, TimeUnit.MINUTES);
        leasehold.close();
        assertThat(releasing.get(1, TimeUnit.MINUTES)).isTrue();
        assertThat(holds(name)).isZero();
    }

    @Test
    void aClientThatIsClosedWhileItsAsyncAcquireWaitsEndsTheStage() throws Exception {
        String name = name();
        Lease held = client().lock(name).acquire();
        Leasehold leasehold = client();
        CompletableFuture<Lease> waiting = leasehold.lock(name).acquireAsync().toCompletableFuture();
        leasehold.close();
        assertThatThrownBy(() -> waiting.get(1, TimeUnit.MINUTES))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(IllegalStateException.class);
        held.close();
        assertThat(holds(name)).isZero();
    }

    @Test
    void closingEndsInTimeAlsoWhenRedisDoesNotAnswer() throws Exception {
        FaultProxy proxy = proxy();
        Leasehold leasehold = client(proxy.uri(), builder -> builder.commandTimeout(Duration.ofMillis(300)));
        Lease lease = leasehold.lock(name()).acquire();
        proxy.swallow();
        CompletableFuture<Boolean> closing = inThread(() -> {
            leasehold.close();
            return true;
        });
        assertThat(closing.get(10, TimeUnit.SECONDS)).isTrue();
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void aListenerOfALeaderThatBlocksDelaysNoReleaseOfAnotherLock() throws Exception {
        String name = name();
        String led = name();
        CountDownLatch demoted = new CountDownLatch(1);
        CountDownLatch returns = new CountDownLatch(1);
        CompletableFuture<Term> elected = new CompletableFuture<>();
        // Longer than this test waits: no step ends by its time.
        Leasehold closing = client(server().uri(), builder -> builder.commandTimeout(Duration.ofMinutes(3)));
        Lease held = closing.lock(name).acquire();
        Elections.of(closing).election(led).stand(new LeaderListener() {
            @Override
            public void onElected(Term term) {
                elected.complete(term);
            }

            @Override
            public void onDemoted(Term term, DemotionReason reason) {
                demoted.countDown();
                uninterruptibly(returns);
            }
        });
        Term term = elected.get(1, TimeUnit.MINUTES);
        CompletableFuture<Boolean> closed = inThread(() -> {
            closing.close();
            return true;
        });
        await().until(() -> holds(name) == 0);
        assertThat(held.isHeld()).isFalse();
        assertThat(demoted.await(1, TimeUnit.MINUTES)).isTrue();
        assertThat(holds(led)).isEqualTo(1);
        assertThat(term.isHeld()).isTrue();
        assertThat(closed).isNotDone();
        returns.countDown();
        assertThat(closed.get(1, TimeUnit.MINUTES)).isTrue();
        assertThat(holds(led)).isZero();
    }

    private static void uninterruptibly(CountDownLatch returns) {
        try {
            returns.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void theLockOfALeaderWhoseListenerNeverReturnsIsReleasedAllTheSame() throws Exception {
        String led = name();
        CountDownLatch returns = new CountDownLatch(1);
        CompletableFuture<Term> elected = new CompletableFuture<>();
        Leasehold closing = client();
        Elections.of(closing).election(led).stand(new LeaderListener() {
            @Override
            public void onElected(Term term) {
                elected.complete(term);
                uninterruptibly(returns);
            }

            @Override
            public void onDemoted(Term term, DemotionReason reason) {}
        });
        Term term = elected.get(1, TimeUnit.MINUTES);
        closing.close();
        assertThat(holds(led)).isZero();
        assertThat(term.isHeld()).isFalse();
        returns.countDown();
    }

    @Test
    void closingFromWithinACallbackEndsAndReleasesEverything() throws Exception {
        for (ClosesWithin callback : ClosesWithin.values()) {
            String name = name();
            CompletableFuture<Boolean> closed = new CompletableFuture<>();
            Leasehold[] closing = new Leasehold[1];
            Runnable close = () -> {
                closing[0].close();
                closed.complete(true);
            };
            closing[0] = client(
                    server().uri(),
                    builder -> builder.listener(new LeaseholdListener() {
                        @Override
                        public void acquired(AcquiredEvent event) {
                            if (callback == ClosesWithin.LISTENER
                                    && event.lockName().equals(name + ":used")) {
                                close.run();
                            }
                        }
                    }));
            Lease held = closing[0].lock(name + ":held").acquire();
            used.add(callback.use(closing[0], client(), name + ":used", close));
            assertThat(closed.get(1, TimeUnit.MINUTES)).as(callback.toString()).isTrue();
            assertThat(held.isHeld()).as(callback.toString()).isFalse();
            assertThat(holds(name + ":held")).as(callback.toString()).isZero();
            await().until(() -> holds(name + ":used") == 0);
        }
    }

    /** The callbacks within which a client is closed. */
    private enum ClosesWithin {
        LISTENER {
            @Override
            Object use(Leasehold closing, Leasehold other, String name, Runnable close) throws Exception {
                return closing.lock(name).acquire();
            }
        },
        STAGE {
            @Override
            Object use(Leasehold closing, Leasehold other, String name, Runnable close) {
                return closing.lock(name).acquireAsync().thenAccept(lease -> close.run());
            }
        },
        LOSS {
            @Override
            Object use(Leasehold closing, Leasehold other, String name, Runnable close) throws Exception {
                Lease lease = closing.lock(name).with(renewedSoon()).acquire();
                lease.onLost(loss -> close.run());
                boolean unused = other.lock(name).forceRelease();
                return lease;
            }
        },
        REQUEST {
            @Override
            Object use(Leasehold closing, Leasehold other, String name, Runnable close) throws Exception {
                Lease lease = closing.lock(name).with(renewedSoon()).acquire();
                lease.onReleaseRequested(request -> close.run());
                boolean unused = other.lock(name).requestRelease();
                return lease;
            }
        },
        ELECTION {
            @Override
            Object use(Leasehold closing, Leasehold other, String name, Runnable close) {
                return Elections.of(closing).election(name).stand(leader(close, () -> {}));
            }
        },
        DEMOTION {
            @Override
            Object use(Leasehold closing, Leasehold other, String name, Runnable close) throws Exception {
                CountDownLatch elected = new CountDownLatch(1);
                Candidacy candidacy = Elections.of(closing).election(name).stand(leader(elected::countDown, close));
                elected.await();
                candidacy.resign();
                return candidacy;
            }
        };

        /** Returns what is to stay reachable. */
        abstract Object use(Leasehold closing, Leasehold other, String name, Runnable close) throws Exception;

        static LeaderListener leader(Runnable onElected, Runnable onDemoted) {
            return new LeaderListener() {
                @Override
                public void onElected(Term term) {
                    onElected.run();
                }

                @Override
                public void onDemoted(Term term, DemotionReason reason) {
                    onDemoted.run();
                }
            };
        }
    }
}
