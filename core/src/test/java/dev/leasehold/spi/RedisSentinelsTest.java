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

    private static RedisServer sentinel(String host, int port) {
        return new RedisServer(host, port, false, null, null, 0);
    }

    @Test
    void sentinelsHaveTheirOwnUserAndPassword() {
        RedisSentinels named = of("redis-sentinel://me:secret@one,two/0?sentinelMasterId=main&sentinelUser=w%40tcher"
                + "&sentinelPassword=a%26b%2Bc+d");
        assertThat(named.sentinels())
                .containsExactly(
                        new RedisServer("one", 26379, false, "w@tcher", "a&b+c+d", 0),
                        new RedisServer("two", 26379, false, "w@tcher", "a&b+c+d", 0));
        assertThat(named.password()).isEqualTo("secret");
        assertThat(named.toString()).doesNotContain("a&b", "tcher", "secret");
        assertThat(of("redis-sentinel://one?sentinelPassword=p&sentinelMasterId=main")
                        .sentinels())
                .containsExactly(new RedisServer("one", 26379, false, null, "p", 0));
    }

    @Test
    void theSchemeSelectsTlsForSentinelsAndServers() {
        RedisSentinels named = of("rediss-sentinel://one/0?sentinelMasterId=main");
        assertThat(named.sentinels()).containsExactly(new RedisServer("one", 26379, true, null, null, 0));
        assertThat(named.server("primary", 7).tls()).isTrue();
        assertThat(RedisSentinels.address(named.sentinels().get(0))).isEqualTo("rediss-sentinel://one:26379");
        assertThat(of("redis-sentinel://one#main").server("primary", 7).tls()).isFalse();
    }

    @Test
    void allSentinelsAndTheNameComeFromTheUri() {
        RedisSentinels named = of("redis-sentinel://one:1,two,10.0.0.3:3/2?sentinelMasterId=my-master");
        assertThat(named.sentinels())
                .containsExactly(sentinel("one", 1), sentinel("two", 26379), sentinel("10.0.0.3", 3));
        assertThat(named.primaryName()).isEqualTo("my-master");
        assertThat(named.server("primary", 7)).isEqualTo(new RedisServer("primary", 7, false, null, null, 2));
    }

    @Test
    void theNameMayBeTheFragmentAndASentinelAnAddressInBrackets() {
        RedisSentinels named = of("redis-sentinel://[::1]:5#main");
        assertThat(named.sentinels()).containsExactly(sentinel("::1", 5));
        assertThat(named.primaryName()).isEqualTo("main");
        assertThat(named.database()).isZero();
    }

    @Test
    void userAndPasswordAreThoseOfThePrimaryAndNeverPrinted() {
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
                "redis-sentinel://se@cret@one,two/0?sentinelMasterId=main",
                "redis-sentinel://one,two/0?sentinelMasterId=main&sentinelUser=secret",
                "redis-sentinel://one,two/0?sentinelMasterId=main&sentinelPassword=",
                "redis-sentinel://one,two/0?sentinelMasterId=main&sentinelPassword=secret&sentinelPassword=secret",
                "redis-sentinel://one,two/0?sentinelMasterId=main&sentinelPassword=se#cret",
                "redis-sentinel://one,two/0?sentinelPassword=se#cret"
            })
    void aMalformedUriIsRejectedWithTheCorrectSpelling(String uri) {
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
