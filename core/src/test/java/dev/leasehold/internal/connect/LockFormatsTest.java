package dev.leasehold.internal.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.LockFormat;
import dev.leasehold.internal.key.KeyPrefix;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.PlainKey;
import dev.leasehold.internal.key.RedissonKey;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LockFormatsTest {

    private static final KeyPrefix PREFIX = new KeyPrefix("app");

    private static LockFormats formats(Object... pairs) {
        Map<String, LockFormat> formats = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            formats.put((String) pairs[i], (LockFormat) pairs[i + 1]);
        }
        return new LockFormats(formats);
    }

    @Test
    void theFirstPatternThatMatchesCounts() {
        LockFormats formats =
                formats("order:*:vip", LockFormat.plain(), "order:*", LockFormat.redisson(), "a.c", LockFormat.plain());
        assertThat(formats.of("order:17:vip")).isEqualTo(LockFormat.plain());
        assertThat(formats.of("order:17\nline")).isEqualTo(LockFormat.redisson());
        assertThat(formats.of("order:")).isEqualTo(LockFormat.redisson());
        assertThat(formats.of("an order:17")).isEqualTo(LockFormat.leasehold());
        assertThat(formats.of("abc")).isEqualTo(LockFormat.leasehold());
        assertThat(formats.of("a.c")).isEqualTo(LockFormat.plain());
    }

    @Test
    void whatOnlyTheOwnFormatKeepsIsRefusedByNameAndRemedy() {
        LockFormats formats = formats("order:*", LockFormat.redissonFenced());
        formats.needOwn("fairLock(name)", "stock");
        assertThatThrownBy(() -> formats.needOwn("fairLock(name)", "order:17\n"))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("fairLock(name)")
                .hasMessageContaining("order:17\\")
                .hasMessageContaining("redisson-fenced")
                .hasMessageContaining("another pattern");
    }

    @Test
    void aPatternIsCheckedAsANameIs() {
        for (String pattern : List.of("", "a\0b", "x".repeat(513))) {
            assertThatThrownBy(() -> formats(pattern, LockFormat.plain()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("pattern of lock names");
        }
    }

    @Test
    void theKeyIsThatOfTheFormat() {
        assertThat(LockFormats.key(PREFIX, "a b", LockFormat.leasehold()).key()).isEqualTo("app:{a%20b}");
        assertThat(LockFormats.key(PREFIX, "a b", LockFormat.plain()).key()).isEqualTo("a b");
        LockKey redisson = LockFormats.key(PREFIX, "a{b}", LockFormat.redissonFenced());
        assertThat(((RedissonKey) redisson).tokenKey()).isEqualTo("redisson_lock_token:a{b}");
        assertThat(((RedissonKey) redisson).channel()).isEqualTo("redisson_lock__channel:a{b}");
        assertThat(LockFormats.key(PREFIX, "a", LockFormat.redisson()))
                .isNotEqualTo(LockFormats.key(PREFIX, "a", LockFormat.plain()));
        assertThat(LockFormats.key(PREFIX, "a", LockFormat.redissonPolled()))
                .isEqualTo(LockFormats.key(PREFIX, "a", LockFormat.redisson()));
        LockKey registry = LockFormats.key(PREFIX, "17", LockFormat.springIntegration("orders"));
        assertThat(registry.key()).isEqualTo("orders:17");
        assertThat(registry.name()).isEqualTo("17");
        assertThat(((PlainKey) registry).channel()).isEqualTo("orders-channel:orders:17");
    }

    @Test
    void aNameInAFormatOfOthersIsNoKeyOfThisLibrary() {
        for (LockFormat format : List.of(
                LockFormat.plain(),
                LockFormat.plainAnyValue(),
                LockFormat.redisson(),
                LockFormat.redissonPolled(),
                LockFormat.redissonFenced())) {
            for (String name : List.of("app:{a}", "app:{", "app:{a}:x")) {
                assertThatThrownBy(() -> LockFormats.key(PREFIX, name, format))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining(name)
                        .hasMessageContaining(format.toString())
                        .hasMessageContaining("use another name");
            }
            assertThat(LockFormats.key(PREFIX, "app:a", format).key()).isEqualTo("app:a");
        }
        assertThatThrownBy(() -> LockFormats.key(PREFIX, "{a}", LockFormat.springIntegration("app")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'{a}'")
                .hasMessageContaining("'app:{a}'");
        assertThat(LockFormats.key(PREFIX, "app:{a}", LockFormat.leasehold()).name())
                .isEqualTo("app:{a}");
    }

    @Test
    void aFormatIsWhatItsWordsSay() {
        for (LockFormat format : List.of(
                LockFormat.leasehold(),
                LockFormat.plain(),
                LockFormat.plainAnyValue(),
                LockFormat.redisson(),
                LockFormat.redissonPolled(),
                LockFormat.redissonFenced(),
                LockFormat.springIntegration("orders"))) {
            assertThat(LockFormat.parse(format.toString())).isEqualTo(format);
        }
        assertThatThrownBy(() -> LockFormat.parse("redission\n"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'redission\\")
                .hasMessageContaining("redisson-fenced");
        assertThatThrownBy(() -> LockFormat.springIntegration(""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("registry key");
    }
}
