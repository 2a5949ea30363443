package dev.leasehold.benchmarks.job;

import dev.leasehold.benchmarks.subject.Grip;
import dev.leasehold.benchmarks.subject.JdkSubject;
import dev.leasehold.benchmarks.subject.Subject;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** Locks of this JVM, of which every fourth grip has a fault. */
record FaultyLocks(Fault fault, JdkSubject locks, AtomicInteger count) implements Subject {

    private static final int EACH = 4;

    FaultyLocks(Fault fault) {
        this(fault, new JdkSubject(), new AtomicInteger());
    }

    enum Fault {
        NONE,
        /** Acquires immediately, even if another thread holds the lock. */
        LETS_TWO_IN,
        /** Waits and is never woken. */
        LOSES_A_WAITER,
        /** Throws instead of waiting. */
        CANNOT_WAIT,
        /** Reports that it is no longer held. */
        LOSES_THE_LOCK,
        /** Throws on release. */
        CANNOT_RELEASE
    }

    @Override
    public String name() {
        return "faulty";
    }

    @Override
    public Grip grip(String lock) {
        Grip sound = locks.grip(lock);
        boolean faulty = count.incrementAndGet() % EACH == 0;
        return faulty && fault != Fault.NONE ? new FaultyGrip(sound, fault) : sound;
    }

    @Override
    public void close() {
        locks.close();
    }

    private record FaultyGrip(Grip sound, Fault fault) implements Grip {

        @Override
        public void acquire() throws InterruptedException {
            switch (fault) {
                case LETS_TWO_IN -> {}
                case LOSES_A_WAITER -> new CountDownLatch(1).await();
                case CANNOT_WAIT -> throw new IllegalStateException("no subscription left");
                default -> sound.acquire();
            }
        }

        @Override
        public boolean tryAcquire() {
            return sound.tryAcquire();
        }

        @Override
        public boolean held() {
            return fault != Fault.LOSES_THE_LOCK && sound.held();
        }

        @Override
        public void onLost(Runnable reported) {
            if (fault == Fault.LOSES_THE_LOCK) {
                reported.run();
            }
        }

        @Override
        public void release() {
            if (fault == Fault.CANNOT_RELEASE) {
                throw new IllegalStateException("not yours");
            }
            if (fault != Fault.LETS_TWO_IN) {
                sound.release();
            }
        }
    }
}
