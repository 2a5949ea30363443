package dev.leasehold.internal.key;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

class HolderTest {

    private static final int[] WIDTHS = {'a', 0xe9, 0x4e2d, 0x1f512};

    private static String cut(String text) {
        return new Holder("", "", text).label();
    }

    @Test
    void shortTextsAreNotChanged() {
        assertThat(cut("")).isEmpty();
        assertThat(cut("a".repeat(63))).hasSize(63);
        assertThat(cut("\u4e2d".repeat(21))).hasSize(21);
    }

    @Test
    void longTextsAreCutToTheLastWholeCharacterWithin63Bytes() {
        assertThat(cut("a".repeat(64))).isEqualTo("a".repeat(63));
        assertThat(cut("a".repeat(62) + "\u00e9")).isEqualTo("a".repeat(62));
        assertThat(cut("\ud83d\udd12".repeat(16))).isEqualTo("\ud83d\udd12".repeat(15));
    }

    @Test
    void noTextIsEverLongerNorEndsInHalfACharacter() {
        Random random = new Random(3);
        for (int i = 0; i < 20_000; i++) {
            StringBuilder text = new StringBuilder();
            int points = random.nextInt(80);
            for (int p = 0; p < points; p++) {
                text.appendCodePoint(WIDTHS[random.nextInt(WIDTHS.length)]);
            }
            String whole = text.toString();
            String cut = cut(whole);
            int bytes = cut.getBytes(StandardCharsets.UTF_8).length;
            assertThat(bytes).isLessThanOrEqualTo(63);
            assertThat(whole).startsWith(cut);
            assertThat(new String(cut.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8))
                    .isEqualTo(cut);
            if (!cut.equals(whole)) {
                int next = Character.toString(whole.codePointAt(cut.length())).getBytes(StandardCharsets.UTF_8).length;
                assertThat(bytes + next).as("nothing is cut without need").isGreaterThan(63);
            }
        }
    }

    @Test
    void aLoneSurrogateInAThreadNameIsNoReasonToFail() {
        assertThat(cut("\ud800".repeat(80))).hasSize(63);
    }

    @Test
    void processAndThreadShareOneFieldOf63BytesAndAreReadFromIt() {
        assertThat(new Holder("17@host", "main", "").who()).isEqualTo("17@host main");
        Holder longest = new Holder("p".repeat(500), "\u4e2d".repeat(500), "");
        assertThat(longest.who()).isEqualTo("p".repeat(42) + " " + "\u4e2d".repeat(6));
        assertThat(Holder.read(longest.who(), "")).isEqualTo(longest);
        assertThat(new Holder("17@host", "t".repeat(500), "").who()).hasSize(63);
        assertThat(Holder.read("17@host pool 1 thread 2", "trace"))
                .isEqualTo(new Holder("17@host", "pool 1 thread 2", "trace"));
        assertThat(Holder.read("17@host ", "")).isEqualTo(new Holder("17@host", "", ""));
        assertThat(Holder.read("", "")).isEqualTo(new Holder("", "", ""));
    }

    @Test
    void aBlankInTheHostDoesNotStartTheThread() {
        Holder holder = new Holder("17@my host", "main", "");
        assertThat(Holder.read(holder.who(), "")).isEqualTo(holder);
    }
}
