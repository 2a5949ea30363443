package dev.leasehold.console.internal.view;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ShownTest {

    @Test
    void leavesOrdinaryTextAsItIs() {
        assertThat(Shown.name("order:1017 <b>é彩票</b> 🎟")).isEqualTo("order:1017 <b>é彩票</b> 🎟");
    }

    @Test
    void escapesWhatDoesNotShowOrReversesTheReadingDirection() {
        assertThat(Shown.name("a\u0000\u001b\n\u202E\u2066\u200B\uFEFF\u00A0\u2028\uD800b"))
                .isEqualTo("a\\u0000\\u001b\\u000a\\u202e\\u2066\\u200b\\ufeff\\u00a0\\u2028\\ud800b");
        assertThat(Shown.name(new String(Character.toChars(0xE0041)))).isEqualTo("\\u{e0041}");
    }

    @Test
    void noNameImitatesAnEscape() {
        assertThat(Shown.name("\\u202e")).isEqualTo("\\\\u202e").isNotEqualTo(Shown.name("\u202E"));
    }

    @Test
    void aMessageIsOneLine() {
        assertThat(Shown.message(" cannot reach redis://host:6379\n at line two\u0007 "))
                .isEqualTo("cannot reach redis://host:6379; at line two\\u0007");
    }
}
