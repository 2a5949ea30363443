package dev.leasehold.internal.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.internal.engine.EngineRig;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.store.LockRequest;
import dev.leasehold.internal.store.StoreRequest;
import dev.leasehold.spi.ServerDescription.Capability;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Several operations on one thread, of which one has a bug. */
class ParallelDriverTest {

    private final EngineRig rig = new EngineRig();
    private final Answering store = new Answering();

    private record Question(LockKey key) implements LockRequest<String> {
        @Override
        public long timeoutNanos() {
            return 1_000_000_000;
        }
    }

    /** A store that answers all at once. */
    private static final class Answering extends UnusedStore {
        private final List<String> asked = new ArrayList<>();

        @Override
        @SuppressWarnings("unchecked")
        public <A> CompletableFuture<A> send(StoreRequest<A> request) {
            asked.add(((Question) request).key.name());
            return (CompletableFuture<A>) CompletableFuture.completedFuture("answer");
        }
    }

    /** An operation that asks twice; with a bug, it throws instead of the second time. */
    private final class Asking implements Operation<String> {
        private final Question question;
        private final boolean bug;
        private int steps;

        Asking(String name, boolean bug) {
            this.question = new Question(LockKey.of(EngineRig.PREFIX, name));
            this.bug = bug;
        }

        @Override
        public Step next() {
            steps++;
            if (bug && steps == 2) {
                throw new IllegalStateException("a bug");
            }
            return steps > 2
                    ? Step.OVER
                    : new Step.Send<>(question, rig.context().now(), answer -> {});
        }

        @Override
        public void failed(RuntimeException failure) {
            throw new AssertionError(failure);
        }

        @Override
        public void abandon(@Nullable RuntimeException reason) {}

        @Override
        public String outcome() {
            return question.key.name();
        }

        @Override
        public boolean endsWithClient() {
            return false;
        }
    }

    private List<String> run(Asking... operations) {
        EventLoopGuard guard = new EventLoopGuard(
                () -> false,
                ServerFeatures.of("", Set.of(Capability.SHARES_CONNECTIONS)),
                new StepExecutor(Runnable::run));
        ReplicatedSender replicated = new ReplicatedSender(
                store,
                rig.time,
                rig.time,
                new BatchSender(store, rig.time, rig.time, Runnable::run),
                EngineRig.limits());
        CallSender calls = new CallSender(store, replicated, guard, rig.time);
        return new ParallelDriver<>(calls, rig.context(), List.of(operations)).run();
    }

    @Test
    void eachRoundAsksForAllThatGoOn() {
        assertThat(run(new Asking("a", false), new Asking("b", false))).containsExactly("a", "b");
        assertThat(store.asked).containsExactly("a", "b", "a", "b");
    }

    @Test
    void anOperationThatBreaksSendsNothingMoreAndIsHeardOfAfterTheOthers() {
        assertThatThrownBy(() -> run(new Asking("a", true), new Asking("b", false)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("a bug");
        assertThat(store.asked).containsExactly("a", "b", "b");
    }
}
