package dev.leasehold.internal.script;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class UsedCodeTest {

    private static String used(String... lines) {
        return new UsedCode(List.of(lines)).text();
    }

    @Test
    void theHeaderStaysAndOtherCommentsAndBlankLinesGo() {
        assertThat(used("-- x: does it", "--", "local key = KEYS[1]", "", "-- Why.", "if key then", "  -- How.", "end"))
                .isEqualTo("-- x: does it\n--\nlocal key = KEYS[1]\nif key then\nend\n");
    }

    @Test
    void constantsAreReplacedByTheirValues() {
        assertThat(used("-- x", "local MOST, KIND = 5, 'r'", "local MOST_READ = 7", "return MOST + MOST_READ .. KIND"))
                .isEqualTo("-- x\nreturn 5 + 7 .. 'r'\n");
        assertThat(used("-- x", "local RANKS = {['0'] = 'head'}", "return RANKS"))
                .contains("local RANKS = {");
    }

    @Test
    void functionsThatNothingLaterUsesAreLeftOut() {
        String text = used(
                "-- x",
                "local function used()",
                "  if true then",
                "    return 1",
                "  end",
                "end",
                "local function by_unused()",
                "end",
                "local function unused()",
                "  by_unused()",
                "end",
                "local function caller()",
                "  return used()",
                "end",
                "return caller()");
        assertThat(text).contains("used()\n  if", "caller()").doesNotContain("unused");
    }
}
