package dev.leasehold.tck;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ServiceLoader;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.support.descriptor.AbstractTestDescriptor;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

class MachineStallsTest {

    private static final TestIdentifier TEST =
            TestIdentifier.from(new AbstractTestDescriptor(UniqueId.root("test", "one"), "one") {
                @Override
                public TestDescriptor.Type getType() {
                    return TestDescriptor.Type.TEST;
                }
            });

    private long now = Long.MAX_VALUE - TimeUnit.SECONDS.toNanos(1);
    private final MachineStalls stalls = new MachineStalls(() -> now, nanos -> now += nanos);

    private void oversleep(long millis) {
        now += TimeUnit.MILLISECONDS.toNanos(millis);
        stalls.sleepOnce();
    }

    private void sleep(int times) {
        for (int n = 0; n < times; n++) {
            stalls.sleepOnce();
        }
    }

    private AssertionError failure() {
        AssertionError failure = new AssertionError("lost");
        stalls.executionFinished(TEST, TestExecutionResult.failed(failure));
        return failure;
    }

    @Test
    void aFailureIsReportedWithTheLongestStallsOfItsTest() {
        oversleep(5_000);
        stalls.executionStarted(TEST);
        sleep(200);
        oversleep(840);
        oversleep(150);
        oversleep(110);
        oversleep(99);
        oversleep(200);
        assertThat(failure().getSuppressed())
                .singleElement()
                .hasToString(MachineStalls.class.getName() + "$MachineStoodStill: "
                        + "The machine stood still for 840 ms, 2.0 s after the test began. "
                        + "The machine stood still for 200 ms, 3.2 s after the test began. "
                        + "The machine stood still for 150 ms, 2.9 s after the test began.");
    }

    @Test
    void soIsAStallThatIsNotOver() {
        stalls.executionStarted(TEST);
        sleep(100);
        now += TimeUnit.SECONDS.toNanos(3);
        assertThat(failure().getSuppressed()[0])
                .hasMessageStartingWith("The machine stood still for 2990 ms, 1.0 s after");
    }

    @Test
    void nothingIsAddedIfTheMachineDidNotStandStill() {
        oversleep(5_000);
        stalls.executionStarted(TEST);
        sleep(500);
        oversleep(60);
        assertThat(failure().getSuppressed()).isEmpty();
    }

    @Test
    void junitFindsIt() {
        assertThat(ServiceLoader.load(TestExecutionListener.class)).hasAtLeastOneElementOfType(MachineStalls.class);
    }
}
