package dev.leasehold.internal.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class NamePatternTest {

    @Test
    void aStarStandsForAnyTextAndEverythingElseForItself() {
        NamePattern pattern = new NamePattern("order:*.[a]");
        assertThat(pattern.matches("order:17.[a]")).isTrue();
        assertThat(pattern.matches("order:1\n7.[a]")).isTrue();
        assertThat(pattern.matches("order:.[a]")).isTrue();
        assertThat(pattern.matches("order:17-[a]")).isFalse();
        assertThat(pattern.matches("order:17.a")).isFalse();
        assertThat(pattern.matches("my order:17.[a]")).isFalse();
    }

    @Test
    void whatElseHasAMeaningForScanIsEscaped() {
        assertThat(new NamePattern("a*b?[c]^\\").glob()).isEqualTo("a*b\\?\\[c\\]\\^\\\\");
    }

    @Test
    void refusesWhatNoNameCanMatch() {
        assertThatThrownBy(() -> new NamePattern(""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("pattern of lock names");
    }
}
