package dev.leasehold.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.leasehold.TlsOptions;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RedisSentinelsTest {

    private static RedisSentinels of(String uri) {
        return RedisSentinels.of(new ConnectionSettings(
                URI.create(uri), "test", Duration.ofSeconds(1), Duration.ofSeconds(1), TlsOptions.defaults()));
    }

    @Test
    void allSentinelsAndTheNameComeFromTheUri() {
        RedisSentinels named = of("redis-sentinel://one:1,two,10.0.0.3:3/2?sentinelMasterId=my-master");
        assertThat(named.sentinels())
                .containsExactly(
                        new RedisNode("one", 1, false),
                        new RedisNode("two", 26379, false),
                        new RedisNode("10.0.0.3", 3, false));
        assertThat(named.primaryName()).isEqualTo("my-master");
        assertThat(named.server("primary", 7)).isEqualTo(new RedisServer("primary", 7, false, null, null, 2));
    }

    @Test
    void theNameMayBeTheFragmentAndASentinelAnAddressInBrackets() {
        RedisSentinels named = of("redis-sentinel://[::1]:5#main");
        assertThat(named.sentinels()).containsExactly(new RedisNode("::1", 5, false));
        assertThat(named.primaryName()).isEqualTo("main");
        assertThat(named.database()).isZero();
    }

    @Test
    void userAndPasswordAreThoseOfThePrimaryAndNotTold() {
        RedisSentinels named = of("redis-sentinel://me:s%40cret@one,two/0?sentinelMasterId=main");
        assertThat(named.user()).isEqualTo("me");
        assertThat(named.password()).isEqualTo("s@cret");
        assertThat(named.toString()).contains("main", "one", "two").doesNotContain("cret");
        assertThat(of("redis-sentinel://:secret@one/0#main").user()).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "redis-sentinel://one,two/0",
                "redis-sentinel://one,two/0?sentinelMasterId=",
                "redis-sentinel://one,two/0?sentinelMasterId=a%20b",
                "redis-sentinel://one,two/0?timeout=3s&sentinelMasterId=main",
                "redis-sentinel://one,two/0?sentinelMasterId=main&timeout=3s",
                "redis-sentinel://one,/0?sentinelMasterId=main",
                "redis-sentinel:///0?sentinelMasterId=main",
                "redis-sentinel://one:70000,two/0?sentinelMasterId=main",
                "redis-sentinel://one:1:2,two/0?sentinelMasterId=main",
                "redis-sentinel://se@cret@one,two/0?sentinelMasterId=main"
            })
    void whatCannotBeMeantIsRefusedWithTheSpelling(String uri) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> of(uri))
                .withMessageContaining("redis-sentinel://host:port,host:port/0?sentinelMasterId=mymaster")
                .withMessageNotContaining("cret");
    }

    @Test
    void aDatabaseIsANumberAndAUserHasAPassword() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> of("redis-sentinel://one,two/zero?sentinelMasterId=main"))
                .withMessageContaining("number of a database");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> of("redis-sentinel://me:@one,two/0?sentinelMasterId=main"))
                .withMessageContaining("without a password");
    }
}
