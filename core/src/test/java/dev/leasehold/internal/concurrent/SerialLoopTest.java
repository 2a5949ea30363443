package dev.leasehold.internal.concurrent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SerialLoopTest {

    private final Queue<Runnable> submitted = new ArrayDeque<>();
    private final Executor later = submitted::add;

    @Test
    void aSignalDuringTheWorkLetsItRunOnceMoreAndDoesNotRecurse() {
        AtomicInteger runs = new AtomicInteger();
        AtomicInteger depth = new AtomicInteger();
        List<Integer> depths = new ArrayList<>();
        SerialLoop[] loop = new SerialLoop[1];
        loop[0] = new SerialLoop(() -> {
            depths.add(depth.incrementAndGet());
            if (runs.incrementAndGet() == 1) {
                loop[0].signal(Runnable::run);
                loop[0].signal(Runnable::run);
            }
            depth.decrementAndGet();
        });
        loop[0].signal(Runnable::run);
        assertThat(depths).containsExactly(1, 1);
    }

    @Test
    void manySignalsBeforeTheWorkSubmitItOnce() {
        AtomicInteger runs = new AtomicInteger();
        SerialLoop loop = new SerialLoop(runs::incrementAndGet);
        loop.signal(later);
        loop.signal(later);
        assertThat(submitted).hasSize(1);
        submitted.remove().run();
        assertThat(runs).hasValue(1);
        loop.signal(later);
        assertThat(submitted).hasSize(1);
    }

    @Test
    void anExceptionOfTheWorkDoesNotEndTheLoop() {
        AtomicInteger runs = new AtomicInteger();
        SerialLoop loop = new SerialLoop(() -> {
            if (runs.incrementAndGet() == 1) {
                throw new IllegalStateException("thrown by a test");
            }
        });
        loop.signal(Runnable::run);
        loop.signal(Runnable::run);
        assertThat(runs).hasValue(2);
    }

    @Test
    void tasksRunInTheirOrderAndAnExceptionAffectsNoOther() {
        List<String> order = new ArrayList<>();
        SerialExecutor executor = new SerialExecutor(later);
        executor.execute(() -> {
            order.add("first");
            executor.execute(() -> order.add("third"));
            throw new IllegalStateException("thrown by a test");
        });
        executor.execute(() -> order.add("second"));
        submitted.remove().run();
        assertThat(order).containsExactly("first", "second", "third");
        assertThat(submitted).isEmpty();
    }
}
