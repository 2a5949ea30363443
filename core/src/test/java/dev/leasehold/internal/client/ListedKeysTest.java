package dev.leasehold.internal.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.LockFormat;
import dev.leasehold.internal.key.KeyPrefix;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.interop.Formats;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ListedKeysTest {

    private static final KeyPrefix PREFIX = new KeyPrefix("leasehold");

    private static Stream<String> names(ListedKeys listed, String... keys) {
        return Stream.of(keys).map(listed.read()).filter(key -> key != null).map(LockKey::name);
    }

    @Test
    void keysOfTheLibraryAreReadByTheirDecodedNames() {
        ListedKeys listed = ListedKeys.of(PREFIX, "a b*", LockFormat.leasehold());
        assertThat(listed.type()).isEqualTo("hash");
        assertThat(names(listed, "leasehold:{a%20b}", "leasehold:{a%20bc}", "leasehold:{a}", "a bc"))
                .containsExactly("a b", "a bc");
    }

    @Test
    void keysOfRedissonAreTheirNames() {
        for (LockFormat format : List.of(Formats.redisson(), Formats.redissonPolled(), Formats.redissonFenced())) {
            ListedKeys listed = ListedKeys.of(PREFIX, "order?:*", format);
            assertThat(listed.type()).isEqualTo("hash");
            assertThat(listed.match()).isEqualTo("order\\?:*");
            assertThat(names(listed, "order?:17", "orders:17")).containsExactly("order?:17");
        }
    }

    @Test
    void keysOfARegistryBeginWithIt() {
        ListedKeys listed = ListedKeys.of(PREFIX, "1*", Formats.springIntegration("or*rs"));
        assertThat(listed.type()).isEqualTo("string");
        // The star of the registry key makes SCAN return more.
        assertThat(names(listed, "or*rs:17", "or*rs:2", "orxrs:17", "orders:17", "or"))
                .containsExactly("17");
    }

    @Test
    void aKeyThatNoLockCanHaveIsLeftOut() {
        assertThat(names(ListedKeys.of(PREFIX, "*", Formats.plain()), "", "x".repeat(513), "x"))
                .containsExactly("x");
    }
}
