package dev.leasehold.cli.internal.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class NoteTest {

    @Test
    void parsesTheLineThatItFormats() {
        Note note = new Note(-5, 3, Event.LOST, 2, 1L << 52, true, "1, 2");
        assertThat(Note.parse(note.format())).isEqualTo(note);
    }

    @Test
    void staysOnOneLine() {
        Note note = new Note(1, 1, Event.FAILED, 0, 0, false, "a\tb\r\nc");
        assertThat(Note.parse(note.format()).detail()).isEqualTo("a b c");
    }

    @Test
    void refusesALineThatIsNoRecord() {
        assertThatThrownBy(() -> Note.parse("WARNING: something")).isInstanceOf(IllegalArgumentException.class);
    }
}
