package dev.leasehold.cli.internal.top;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.internal.top.Key.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeyDecoderTest {

    @ParameterizedTest
    @CsvSource({
        "[A, UP",
        "OA, UP",
        "[B, DOWN",
        "[5~, PAGE_UP",
        "[6~, PAGE_DOWN",
        "[H, HOME",
        "[1~, HOME",
        "OF, END",
        "[4~, END",
        "[15~, UNKNOWN",
        "[1;5C, UNKNOWN",
        "x, UNKNOWN"
    })
    void decodesEscapeSequences(String sequence, Kind kind) throws IOException {
        assertThat(decode("\u001b" + sequence + "q")).containsExactly(Key.of(kind), Key.character('q'), end());
    }

    @Test
    void anEscapeWithNothingBehindItIsTheKey() throws IOException {
        assertThat(decode("\u001b")).startsWith(Key.of(Kind.ESCAPE));
    }

    /** A sequence without an end, as a terminal may send that is not one. */
    @Test
    void anEndlessSequenceIsGivenUp() throws IOException {
        assertThat(decode("\u001b[" + "1".repeat(100))).startsWith(Key.of(Kind.UNKNOWN), Key.character('1'));
    }

    @Test
    void decodesControlCharactersAndText() throws IOException {
        assertThat(decode("\u0003\r\n\b\u007f\u0001é锁\uD83D\uDD12"))
                .containsExactly(
                        Key.of(Kind.INTERRUPT),
                        Key.of(Kind.ENTER),
                        Key.of(Kind.ENTER),
                        Key.of(Kind.BACKSPACE),
                        Key.of(Kind.BACKSPACE),
                        Key.of(Kind.UNKNOWN),
                        Key.character('é'),
                        Key.character('锁'),
                        Key.character(0x1F512),
                        end());
    }

    private static Key end() {
        return Key.of(Kind.END_OF_INPUT);
    }

    /** All keys up to the end of the input, where a read with a limit expires. */
    private static List<Key> decode(String input) throws IOException {
        int[] next = {0};
        KeyDecoder decoder =
                new KeyDecoder(timeout -> next[0] < input.length() ? input.charAt(next[0]++) : timeout == 0 ? -1 : -2);
        List<Key> keys = new ArrayList<>();
        do {
            keys.add(decoder.next());
        } while (!keys.get(keys.size() - 1).equals(end()));
        return keys;
    }
}
