package dev.leasehold.benchmarks.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.benchmarks.process.Message;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class OrderTest {

    @Test
    void isKeptWhereLaterWavesAcquireLater() {
        // Lock, entry, wave: the answers of two JVMs, each unordered.
        Message one = order(7, 3, 1, 7, 1, 0, 8, 1, 5);
        Message other = order(7, 4, 1, 7, 2, 0, 8, 2, 5);
        assertThat(new Order(List.of(one, other)).inversions()).isZero();
    }

    @Test
    void isBrokenByAWaiterServedBeforeOneOfAnEarlierWaveInAnotherJvm() {
        Message one = order(7, 1, 0, 7, 2, 1);
        Message other = order(7, 3, 0, 7, 4, 1);
        assertThat(new Order(List.of(one, other)).inversions()).isEqualTo(1);
    }

    private static Message order(long... numbers) {
        return Message.of("done").with("order", LongStream.of(numbers));
    }
}
