package dev.leasehold.internal.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.leasehold.Leasehold;
import dev.leasehold.TlsOptions;
import dev.leasehold.spi.ConnectionSettings;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A URI contains a password: no message and no cause may show any part of it, however malformed the URI is. */
class UriSecretsTest {

    private static final String[] PARTS = {"s3c", "w0rd", "8472"};

    private static String messages(String uri) {
        Throwable refusal = catchThrowable(() -> Leasehold.connect(uri));
        assertThat(refusal).isInstanceOfAny(IllegalArgumentException.class, IllegalStateException.class);
        StringWriter all = new StringWriter();
        refusal.printStackTrace(new PrintWriter(all));
        assertThat(refusal.getMessage()).doesNotContain("\n", "\r");
        return all.toString();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // Bad syntax.
                "redis://user:s3c w0rd@host:6379",
                "redis://user:s3c%zzw0rd@host",
                "redis://user:s3c\"w0rd@host",
                "redis://user:s3c\nw0rd@host",
                "redis://user:s3c\u2028w0rd@host",
                "redis://user:s3c[w0rd]@host",
                "redis://:s3c^w0rd@host:6379/0",
                " redis://user:s3c-w0rd@host",
                ":s3cw0rd@host",
                "://user:s3cw0rd@host",
                // Another scheme, or none.
                "http://user:s3cw0rd@host",
                "redis-sentinel://s3cw0rd@host:26379/0#main",
                "redis-sentinel://user:s3c@w0rd:8472@host,other/0#main",
                "redis-sentinel://user:s3c/w0rd@host,other:26379/0?sentinelMasterId=main",
                "redis-sentinel://user:s3cw0rd@host,other:8472:1/0?password=s3cw0rd",
                "redis-sentinel://host?sentinelMasterId=main&sentinelPassword=s3c@w0rd",
                "rediss-sentinel://host,other?sentinelPassword=s3cw0rd&sentinelMasterId=main",
                "rediss-sentinel://host,other?sentinelMasterId=main&sentinelPassword=s3c#w0rd",
                "user:s3cw0rd@host:6379",
                "//user:s3cw0rd@host",
                "s3cw0rd@host",
                "s3cw0rd:8472@host",
                // No host.
                "redis:user:s3cw0rd@host:6379",
                "redis://user:s3cw0rd@",
                "redis://user:s3cw0rd@:6379",
                "redis://user:s3c@w0rd:8472@host",
                "redis://user:s3cw0rd@host_with_underscores:6379",
                // Several hosts.
                "redis://user:s3cw0rd@one,two",
                "redis://user:s3c@w0rd:8472@one,two",
                "redis://user:s3c@w0rd,8472@host",
                "redis://user:s3c,w0rd@,host",
                "rediss://user:s3cw0rd@one:8472:1,two/2",
                "redis://user:s3c/w0rd@one,two",
                // Characters that should have been encoded split the password.
                "redis://user:s3c/w0rd@host:6379",
                "redis://user:8472/w0rd@host:6379",
                "redis://user:8472?w0rd@host:6379",
                "redis://user:8472#w0rd@host:6379",
                "redis://user:s3c@w0rd/8472@host:6379",
                "redis://user:s3c?w0rd@host",
                "redis://user:s3c#w0rd@host",
                "rediss://user:s3c@w0rd?8472@host",
                // Some clients take it from the query.
                "redis:///?password=s3cw0rd",
                "http://host?user=me&password=s3cw0rd"
            })
    void noRefusalShowsAnyPartOfThePassword(String uri) {
        assertThat(messages(uri)).doesNotContain(PARTS);
    }

    /** These URIs parse, but host and port are parts of the password, which the address in a message would show. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "redis://user:s3c/w0rd@host:6379",
                "redis://user:8472/w0rd@host",
                "redis://user:8472?w0rd@host",
                "redis://user:8472#w0rd@host",
                "redis://user:x@w0rd/8472@host"
            })
    void aSplitPasswordIsRejectedBeforeConnecting(String uri) {
        assertThat(catchThrowable(() -> Leasehold.connect(uri)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("has an @ after the host")
                .hasMessageContaining("percent-encode");
    }

    @Test
    void aRejectionStillNamesTheErrorAndItsPosition() {
        assertThat(catchThrowable(() -> Leasehold.connect("http://u:p@host.example:80/x")))
                .hasMessageContaining("another scheme")
                .hasMessageContaining("redis://")
                .hasMessageContaining("rediss://");
        assertThat(catchThrowable(() -> Leasehold.connect("localhost:6379")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("redis://");
        assertThat(catchThrowable(() -> Leasehold.connect("redis://")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("redis://host:port");
    }

    /** Also of a password in which a pattern would find the end of a URI. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "s3c w0rd",
                "s3c'^w0rd",
                "s3c\"w0rd",
                "s3c<w0rd>",
                "s3c{w0rd}",
                "s3c|w0rd",
                "s3c`w0rd",
                "s3c\\w0rd"
            })
    void aRefusalToldByItsPositionQuotesNothing(String password) {
        for (String uri : List.of(
                "redis://app:" + password + "@host:6379",
                "redis://host:6379/0?password=" + password,
                "rediss-sentinel://one,two/0?sentinelMasterId=main&sentinelPassword=" + password)) {
            assertThat(messages(uri)).contains(" at position ").doesNotContain(PARTS);
        }
    }

    /** Whether a URI may have the character or not, and in whichever part of it. */
    @Test
    void noCharacterMakesAPasswordShown() {
        List<String> characters = Stream.concat(
                        IntStream.rangeClosed(1, '~').mapToObj(Character::toString),
                        Stream.of("é", "彩", "🔒", "\u0085", "\ud800"))
                .toList();
        for (String c : characters) {
            for (String encoded : List.of(c, URLEncoder.encode(c, StandardCharsets.UTF_8))) {
                String password = "s3c" + encoded + "w0rd";
                for (String uri : List.of(
                        "redis://app:" + password + "@host:6379/0",
                        "redis://:" + password + "@host",
                        "redis://" + password + ":x@host",
                        "redis-sentinel://app:" + password + "@one,two?sentinelMasterId=main&sentinelPassword="
                                + password,
                        "redis-sentinel://one,two?sentinelPassword=" + password + "&sentinelMasterId=main",
                        "redis://app:" + password + "@one,two:6380",
                        "redis://host?password=" + password)) {
                    assertThat(messages(uri)).as(uri).doesNotContain(PARTS);
                }
            }
        }
    }

    /** Everybody who may open a console, or reads a log, sees this. */
    @ParameterizedTest
    @CsvSource(quoteCharacter = '~', textBlock = """
            redis://app:it's-s3cw0rd@host:6379/2, redis://host:6379/2
            rediss://:s3cw0rd@host, rediss://host:6379
            redis://:s3c:w0rd!$&()*+;=@host, redis://host:6379
            redis://app:s3cw0rd%22%40%3a%2F%C3%A9@[::1]:7000, redis://[::1]:7000
            redis://app:s3cw0rdé彩@host, redis://host:6379
            ~redis://app:s3cw0rd@one:1,two/2~, ~redis://one:1,two/2~
            ~redis://app:s3c,w0rd@one~, redis://one:6379
            ~redis-sentinel://app:s3cw0rd@one:1,two:2/main?sentinelPassword=s3cw0rd~, ~redis-sentinel://one:1,two:2/main~
            redis-socket://app:s3cw0rd@/run/redis.sock, redis-socket:///run/redis.sock
            """)
    void theAddressOfAServerHasNoSecret(String uri, String address) {
        assertThat(settings(uri).address()).isEqualTo(address).doesNotContain(PARTS);
    }

    @Test
    void anAcceptedUriWithoutAnAdapterShowsNothingEither() {
        String messages = messages("redis://user:s3c%40w0rd@host:6379/0");
        assertThat(messages).contains("leasehold-lettuce").doesNotContain(PARTS);
    }

    @Test
    void theSettingsThatAnAdapterGetsPrintTheAddressOnly() {
        ConnectionSettings settings = settings("rediss://user:s3c%40w0rd@host:6380/2");
        assertThat(settings.address()).isEqualTo("rediss://host:6380/2");
        assertThat(settings("redis-sentinel://user:s3c%40w0rd@one:1,two/2?sentinelMasterId=main")
                        .address())
                .isEqualTo("redis-sentinel://one:1,two/2");
        assertThat(settings("rediss-sentinel://one/2?sentinelMasterId=main&sentinelPassword=s3cw0rd")
                        .toString())
                .isEqualTo("ConnectionSettings[rediss-sentinel://one/2, me]");
        assertThat(settings).hasToString("ConnectionSettings[rediss://host:6380/2, me]");
    }

    private static ConnectionSettings settings(String uri) {
        return new ConnectionSettings(
                URI.create(uri), "me", Duration.ofSeconds(1), Duration.ofSeconds(1), TlsOptions.defaults());
    }

    @Test
    void aHostMayHaveAnUnderscoreInItsName() {
        assertThat(catchThrowable(() -> Leasehold.connect("redis://my_redis_1:6379")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("no adapter for redis://");
    }

    @Test
    void anAtInAPasswordIsRefusedWithTheRemedy() {
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        Leasehold.builder().uri("redis://:p@ss@127.0.0.1:1").build())
                .withMessageContaining("@ is %40")
                .withMessageNotContaining("ss@");
    }
}
