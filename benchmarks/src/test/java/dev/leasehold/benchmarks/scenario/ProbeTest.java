package dev.leasehold.benchmarks.scenario;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.benchmarks.IncorrectException;
import dev.leasehold.benchmarks.subject.Grip;
import dev.leasehold.benchmarks.subject.Subject;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

class ProbeTest {

    private static final List<String> NAMES = List.of("a", "b");

    @Test
    void findsNothingWrongWithALock() {
        assertThatCode(() -> Probe.check(new InMemory(Fault.NONE), NAMES)).doesNotThrowAnyException();
    }

    @Test
    void findsALockThatLetsTwoIn() {
        assertIncorrect(Fault.LETS_TWO_IN, "the lock is held, and another thread got it too");
    }

    @Test
    void findsALockThatIsNotHeld() {
        assertIncorrect(Fault.IS_NOT_HELD, "the lock was acquired, and is not held");
    }

    @Test
    void findsALockThatIsNotReleased() {
        assertIncorrect(Fault.IS_NOT_RELEASED, "the lock was released, and another thread did not get it");
    }

    @Test
    void findsALockThatIsNeverGiven() {
        assertIncorrect(Fault.IS_NEVER_GIVEN, "the lock should have been free");
    }

    private static void assertIncorrect(Fault fault, String message) {
        assertThatThrownBy(() -> Probe.check(new InMemory(fault), NAMES))
                .isInstanceOf(IncorrectException.class)
                .hasMessage("in memory, a: " + message);
    }

    private enum Fault {
        NONE,
        LETS_TWO_IN,
        IS_NOT_HELD,
        IS_NOT_RELEASED,
        IS_NEVER_GIVEN
    }

    /** Locks of this JVM only, with a fault. */
    private record InMemory(Fault fault, Map<String, Grip> holders) implements Subject {

        InMemory(Fault fault) {
            this(fault, new ConcurrentHashMap<>());
        }

        @Override
        public String name() {
            return "in memory";
        }

        @Override
        public Grip grip(String lock) {
            return new Grip() {
                @Override
                public void acquire() {
                    throw new UnsupportedOperationException();
                }

                @Override
                public boolean tryAcquire() {
                    if (fault == Fault.IS_NEVER_GIVEN) {
                        return false;
                    }
                    return holders.putIfAbsent(lock, this) == null || fault == Fault.LETS_TWO_IN;
                }

                @Override
                public boolean held() {
                    return holders.get(lock) == this && fault != Fault.IS_NOT_HELD;
                }

                @Override
                public void release() {
                    if (fault != Fault.IS_NOT_RELEASED) {
                        holders.remove(lock, this);
                    } else {
                        holders.replace(lock, new InMemory(fault).grip(lock));
                    }
                }
            };
        }

        @Override
        public void close() {}
    }
}
