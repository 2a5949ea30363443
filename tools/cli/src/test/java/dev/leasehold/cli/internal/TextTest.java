package dev.leasehold.cli.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TextTest {

    @Test
    void escapesControlCharactersOfATerminal() {
        assertThat(Text.name("a\u001b[31m\r\n\tb\u0000\u007f\u009b\u202e\u2028\ue000\ufeff"))
                .isEqualTo("a\\u001b[31m\\u000d\\u000a\\u0009b\\u0000\\u007f\\u009b\\u202e\\u2028\\ue000\\ufeff");
    }

    @Test
    void escapesHalfOfASurrogatePair() {
        assertThat(Text.name("a\ud83d")).isEqualTo("a\\ud83d");
    }

    @Test
    void isUnambiguous() {
        assertThat(Text.name("a\\u001b")).isEqualTo("a\\\\u001b").isNotEqualTo(Text.name("a\u001b"));
    }

    @Test
    void keepsAMessageOnOneLine() {
        assertThat(Text.line(" first\n  second\r\nthird \u001b[0m\n")).isEqualTo("first; second; third \\u001b[0m");
    }

    @Test
    void cutsATextToColumns() {
        assertThat(Text.cut("lottery", 7)).isEqualTo("lottery");
        assertThat(Text.cut("lottery", 6)).isEqualTo("lotte~");
        assertThat(Text.cut("lottery", 1)).isEqualTo("~");
        assertThat(Text.cut("lottery", 0)).isEmpty();
        assertThat(Text.cut("e\u0301e\u0301e\u0301", 2)).isEqualTo("e\u0301~");
    }

    @Test
    void computesTheWidthOfAText() {
        assertThat(Text.width("lottery")).isEqualTo(7);
        assertThat(Text.width("彩票")).isEqualTo(4);
        assertThat(Text.width("e\u0301")).isEqualTo(1);
        assertThat(Text.width("ｶ")).isEqualTo(1);
    }
}
