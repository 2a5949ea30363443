package dev.leasehold.internal.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LockKeyTest {

    private static final KeyPrefix PREFIX = new KeyPrefix("leasehold");
    /** The rule by which Redis Cluster finds the tag: from the first brace to the next closing one. */
    private static final Pattern HASH_TAG = Pattern.compile("^[^{]*\\{([^}]+)}");

    @Test
    void isThePrefixAndTheNameInBraces() {
        assertThat(LockKey.of(PREFIX, "order:17").key()).isEqualTo("leasehold:{order:17}");
        assertThat(LockKey.of(new KeyPrefix("a:b"), "x").key()).isEqualTo("a:b:{x}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a{b", "a}b", "{}x", "x{}y{z}", "{", "}", "{a}", "%7B", "}{"})
    void theHashTagIsAlwaysTheWholeEncodedName(String name) {
        LockKey key = LockKey.of(PREFIX, name);
        Matcher tag = HASH_TAG.matcher(key.key());
        assertThat(tag.find()).isTrue();
        assertThat(Names.percentDecode(tag.group(1))).isEqualTo(name);
        assertThat(key.key()).isEqualTo("leasehold:{" + tag.group(1) + "}");
        assertThat(LockKey.parse(PREFIX, key.key())).isEqualTo(key);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "leasehold:{}",
                "leasehold:{a",
                "leasehold:a}",
                "leasehold:a",
                "leasehold2:{a}",
                "other:{a}",
                "leasehold",
                "leasehold:{",
                ""
            })
    void aKeyOfAnotherKindIsNoLock(String key) {
        assertThat(LockKey.parse(PREFIX, key)).isNull();
    }

    /** A tool that wrote {@code leasehold:{%61}} must not be listed as lock 'a', whose key is another. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "leasehold:{%61}",
                "leasehold:{%7b}",
                "leasehold:{a b}",
                "leasehold:{%}",
                "leasehold:{%zz}",
                "leasehold:{%FF}",
                "leasehold:{%00}",
                "leasehold:{a}b}",
                "leasehold:{\u00e9}"
            })
    void aKeyThatNoNameIsWrittenAsIsNoLock(String key) {
        assertThat(LockKey.parse(PREFIX, key)).isNull();
    }

    @Test
    void showsTheNameSafely() {
        assertThat(LockKey.of(PREFIX, "a\nb")).hasToString("'a\\u000ab'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a{b", "a}b", "a b", "", "a*", "a?", "[a", "a]", "a\\b", "^a", "caf\u00e9", "a\n"})
    void aPrefixThatWouldMoveTheTagOrWidenAScanIsRefused(String prefix) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new KeyPrefix(prefix))
                .withMessageContaining("key prefix '" + Names.escape(prefix) + "'")
                .withMessageContaining("1 to 64");
    }

    @Test
    void aPrefixMayHave64Characters() {
        assertThat(new KeyPrefix("p".repeat(64)).scanPattern()).isEqualTo("p".repeat(64) + ":{*}");
        assertThatIllegalArgumentException().isThrownBy(() -> new KeyPrefix("p".repeat(65)));
    }
}
