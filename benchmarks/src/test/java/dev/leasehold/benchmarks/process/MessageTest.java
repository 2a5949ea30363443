package dev.leasehold.benchmarks.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class MessageTest {

    @Test
    void isReadAsItWasWritten() {
        Message message = Message.of("failed")
                .with("message", "a=b c\nd %20 +\u00e9\u9501")
                .with("empty", "")
                .with("count", 3);
        String line = message.line();
        assertThat(line).doesNotContain("\n");
        assertThat(Message.parse(line)).isEqualTo(message);
        assertThat(Message.parse(line).count("count")).isEqualTo(3);
    }

    @Test
    void carriesLists() {
        Message message = Message.of("done").with("some", LongStream.of(3, -1)).with("none", LongStream.empty());
        Message read = Message.parse(message.line());
        assertThat(read.numbers("some")).containsExactly(3, -1);
        assertThat(read.numbers("none")).isEmpty();
    }

    @Test
    void refusesALineThatAnotherLibraryPrinted() {
        assertThatThrownBy(() -> Message.parse("Picked up some options"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Picked up some options");
    }

    @Test
    void saysWhatIsMissing() {
        assertThatThrownBy(() -> Message.of("go").with("begin", 1).number("end"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("there is no end in 'go begin=1'");
    }
}
