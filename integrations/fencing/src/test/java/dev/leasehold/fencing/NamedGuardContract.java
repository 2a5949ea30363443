package dev.leasehold.fencing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The contract of a guard that stores tokens by the names of resources, in a store that may be unreachable. */
abstract class NamedGuardContract extends FencingGuardContract {

    /** Uses a guard whose store cannot be reached. */
    abstract void writeUnreachably(String resource, long token) throws Exception;

    /** Returns the type that the store's client throws then. */
    abstract Class<? extends Exception> ownError();

    static Stream<String> names() {
        return Stream.of("", "\0", "a\0b", "x".repeat(513), "ä".repeat(257), "cut \ud83d");
    }

    /** Numbers the cases, as the names themselves would garble a report. */
    @ParameterizedTest(name = "{index}")
    @MethodSource("names")
    void aNameThatBreaksTheRuleIsRefusedBeforeAnythingIsSent(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> writeUnreachably(name, 1))
                .withMessageContaining("name")
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("\0"));
    }

    @Test
    void anInvalidTokenIsRefusedBeforeAnythingIsSent() {
        assertThatIllegalArgumentException().isThrownBy(() -> writeUnreachably("a", 0));
        assertThatIllegalArgumentException().isThrownBy(() -> writeUnreachably("a", LARGEST + 1));
    }

    @Test
    void anUnreachableStoreThrowsItsOwnErrorAndNoStaleToken() {
        assertThatThrownBy(() -> writeUnreachably("a", 1)).isInstanceOf(ownError());
    }

    static Stream<String> oddNames() {
        return Stream.of(
                "x".repeat(512),
                "{}",
                "a{b}c",
                "%7B",
                "line\nbreak",
                "' OR 1=1 --",
                "\u5f69\u7968",
                "\ud83d\udd12",
                "A",
                "a",
                " a",
                "a ");
    }

    @Test
    void anyOtherNameIsAResourceOfItsOwn() throws Exception {
        for (String name : oddNames().toList()) {
            write(name, 8, name);
        }
        for (String name : oddNames().toList()) {
            assertThat(value(name)).isEqualTo(name);
            assertThatThrownBy(() -> write(name, 7, "late"))
                    .isInstanceOf(StaleTokenException.class)
                    .satisfies(e -> assertThat(e.getMessage()).doesNotContain("\n"));
        }
    }
}
