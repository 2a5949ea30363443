package dev.leasehold.internal.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.LockFormat;
import dev.leasehold.internal.key.KeyPrefix;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.PlainKey;
import dev.leasehold.internal.key.RedissonKey;
import dev.leasehold.internal.lock.LockMessages;
import dev.leasehold.internal.release.ReleaseMessages;
import dev.leasehold.interop.Formats;
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
                formats("order:*:vip", Formats.plain(), "order:*", Formats.redisson(), "a.c", Formats.plain());
        assertThat(formats.of("order:17:vip")).isEqualTo(Formats.plain());
        assertThat(formats.of("order:17\nline")).isEqualTo(Formats.redisson());
        assertThat(formats.of("order:")).isEqualTo(Formats.redisson());
        assertThat(formats.of("an order:17")).isEqualTo(LockFormat.leasehold());
        assertThat(formats.of("abc")).isEqualTo(LockFormat.leasehold());
        assertThat(formats.of("a.c")).isEqualTo(Formats.plain());
    }

    @Test
    void whatOnlyTheOwnFormatKeepsIsRefusedByNameAndRemedy() {
        LockFormats formats = formats("order:*", Formats.redissonFenced());
        formats.needOwn("fairLock(name)", "stock");
        assertThatThrownBy(() -> formats.needOwn("fairLock(name)", "order:17\n"))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("fairLock(name)")
                .hasMessageContaining("order:17\\")
                .hasMessageContaining("redisson-fenced")
                .hasMessageContaining("another pattern");
    }

    /** Somebody who called lock(name) is not advised to call it. */
    @Test
    void whatALockOfAnotherFormatLacksIsRefusedWithoutTheAdviceToDoTheSameAgain() {
        LockKey plain = LockFormats.key(PREFIX, "a", Formats.plain());
        for (UnsupportedOperationException refusal :
                List.of(LockMessages.noOwner(plain), LockMessages.noToken(plain), ReleaseMessages.noRequests(plain))) {
            assertThat(refusal)
                    .hasMessageContaining("'a'")
                    .hasMessageContaining("LockFormat.leasehold()")
                    .hasMessageNotContaining("lock(...)");
        }
    }

    @Test
    void aPatternIsCheckedAsANameIs() {
        for (String pattern : List.of("", "a\0b", "x".repeat(513))) {
            assertThatThrownBy(() -> formats(pattern, Formats.plain()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("pattern of lock names");
        }
    }

    @Test
    void theKeyIsThatOfTheFormat() {
        assertThat(LockFormats.key(PREFIX, "a b", LockFormat.leasehold()).key()).isEqualTo("app:{a%20b}");
        assertThat(LockFormats.key(PREFIX, "a b", Formats.plain()).key()).isEqualTo("a b");
        LockKey redisson = LockFormats.key(PREFIX, "a{b}", Formats.redissonFenced());
        assertThat(((RedissonKey) redisson).tokenKey()).isEqualTo("redisson_lock_token:a{b}");
        assertThat(((RedissonKey) redisson).channel()).isEqualTo("redisson_lock__channel:a{b}");
        assertThat(LockFormats.key(PREFIX, "a", Formats.redisson()))
                .isNotEqualTo(LockFormats.key(PREFIX, "a", Formats.plain()));
        assertThat(LockFormats.key(PREFIX, "a", Formats.redissonPolled()))
                .isEqualTo(LockFormats.key(PREFIX, "a", Formats.redisson()));
        LockKey registry = LockFormats.key(PREFIX, "17", Formats.springIntegration("orders"));
        assertThat(registry.key()).isEqualTo("orders:17");
        assertThat(registry.name()).isEqualTo("17");
        assertThat(((PlainKey) registry).channel()).isEqualTo("orders-channel:orders:17");
    }

    @Test
    void aNameInAFormatOfOthersIsNoKeyOfThisLibrary() {
        for (LockFormat format : List.of(
                Formats.plain(),
                Formats.plainAnyValue(),
                Formats.redisson(),
                Formats.redissonPolled(),
                Formats.redissonFenced())) {
            for (String name : List.of("app:{a}", "app:{", "app:{a}:x")) {
                assertThatThrownBy(() -> LockFormats.key(PREFIX, name, format))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining(name)
                        .hasMessageContaining(format.toString())
                        .hasMessageContaining("use another name");
            }
            assertThat(LockFormats.key(PREFIX, "app:a", format).key()).isEqualTo("app:a");
        }
        assertThatThrownBy(() -> LockFormats.key(PREFIX, "{a}", Formats.springIntegration("app")))
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
                Formats.plain(),
                Formats.plainAnyValue(),
                Formats.redisson(),
                Formats.redissonPolled(),
                Formats.redissonFenced(),
                Formats.springIntegration("orders"))) {
            assertThat(Formats.parse(format.toString())).isEqualTo(format);
        }
        assertThatThrownBy(() -> Formats.parse("redission\n"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'redission\\")
                .hasMessageContaining("redisson-fenced");
        assertThatThrownBy(() -> Formats.springIntegration(""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("registry key");
    }
}
