package dev.leasehold.internal.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.leasehold.Credentials;
import dev.leasehold.Leasehold;
import dev.leasehold.LeaseholdBuilder;
import dev.leasehold.LockOptions;
import dev.leasehold.spi.RedisTransport;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The values that the builder rejects before anything is sent: the transport used here fails the test at any call. */
class ClientConfigTest {

    private static final Duration YEAR = Duration.ofDays(365);
    private static final Duration ENDLESS = Duration.ofSeconds(Long.MAX_VALUE, 999_999_999);

    private static final RedisTransport UNTOUCHED = (RedisTransport) Proxy.newProxyInstance(
            ClientConfigTest.class.getClassLoader(), new Class<?>[] {RedisTransport.class}, (proxy, method, args) -> {
                throw new AssertionError("the transport was used: " + method);
            });

    private static LeaseholdBuilder builder() {
        return Leasehold.builder().transport(UNTOUCHED);
    }

    @Test
    void exactlyOneOfUriAndTransportMustBeSet() {
        assertThatIllegalStateException()
                .isThrownBy(() -> Leasehold.builder().build())
                .withMessageContaining("uri(...)")
                .withMessageContaining("transport(...)");
        assertThatIllegalStateException()
                .isThrownBy(() -> builder().uri("redis://localhost").build())
                .withMessageContaining("exactly one");
    }

    @Test
    void credentialsAreRejectedBesideATransport() {
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        builder().credentials(ClientConfigTest::credentials).build())
                .withMessageContaining("credentials(...) cannot be combined with transport(...)")
                .withMessageContaining("docs/credentials.md");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "redis://user:s3cret@host",
                "rediss://:s3cret@host",
                "redis-sentinel://s3cret@host?sentinelMasterId=main",
                "redis-socket://:s3cret@/run/redis.sock"
            })
    void credentialsAreRejectedBesideAUserOrAPasswordInAUri(String uri) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Leasehold.builder()
                        .uri(uri)
                        .credentials(ClientConfigTest::credentials)
                        .build())
                .withMessageContaining("Remove user and password from the URI")
                .withMessageNotContaining("s3cret");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Leasehold.builder()
                        .quorum("redis://a", "redis://b", uri)
                        .credentials(ClientConfigTest::credentials)
                        .build())
                .withMessageContaining("Remove user and password from the URI")
                .withMessageNotContaining("s3cret");
    }

    private static Credentials credentials() {
        throw new AssertionError("the supplier was called");
    }

    static Stream<Arguments> times() {
        return Stream.of(
                time("connect timeout", LeaseholdBuilder::connectTimeout, Duration.ofMillis(1), Duration.ofDays(1)),
                time("command timeout", LeaseholdBuilder::commandTimeout, Duration.ofMillis(1), Duration.ofDays(1)),
                time("outage tolerance", LeaseholdBuilder::outageTolerance, Duration.ZERO, YEAR),
                time("maximum lease time", LeaseholdBuilder::maxLeaseTime, Duration.ofMillis(50), YEAR),
                time("rememberTokens", LeaseholdBuilder::rememberTokens, Duration.ofSeconds(1), YEAR));
    }

    private static Arguments time(
            String name,
            BiFunction<LeaseholdBuilder, Duration, LeaseholdBuilder> setter,
            Duration least,
            Duration most) {
        return Arguments.of(name, setter, least, most);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("times")
    void aTimeOutOfItsBoundsIsRefusedAndNeverOverflows(
            String name,
            BiFunction<LeaseholdBuilder, Duration, LeaseholdBuilder> setter,
            Duration least,
            Duration most) {
        for (Duration wrong : List.of(least.minusNanos(1), most.plusNanos(1), ENDLESS, ENDLESS.negated())) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> setter.apply(builder(), wrong).build())
                    .withMessageContaining(name + " " + wrong)
                    .withMessageContaining("between " + least + " and " + most);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a\nb", "caf\u00e9", "abcdefghijklmnopqrstuvwxyz0123456"})
    void aClientNameThatClientListCouldNotShowIsRefused(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder().clientName(name).build())
                .withMessageContaining("client name")
                .withMessageContaining("1 to 32");
    }

    @Test
    void defaultsWithALeaseAboveTheMaximumAreRefused() {
        LockOptions options =
                LockOptions.builder().leaseTime(Duration.ofHours(2)).build();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder()
                        .defaults(options)
                        .maxLeaseTime(Duration.ofHours(1))
                        .build())
                .withMessageContaining("lease time PT2H")
                .withMessageContaining("PT1H")
                .withMessageContaining("maxLeaseTime(...)");
    }

    @Test
    void aKeyPrefixWithBracesIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder().keyPrefix("a{b").build())
                .withMessageContaining("'a{b'");
    }

    @Test
    void theDefaultsPass() {
        AssertionError touched = org.assertj.core.api.Assertions.catchThrowableOfType(
                AssertionError.class, () -> builder().build());
        assertThat(touched).hasMessageContaining("the transport was used");
    }
}
