package dev.leasehold.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.leasehold.TlsOptions;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RedisServerTest {

    private static ConnectionSettings settings(String uri) {
        return new ConnectionSettings(
                URI.create(uri), "test", Duration.ofSeconds(1), Duration.ofSeconds(1), TlsOptions.defaults());
    }

    private static RedisServer server(String uri) {
        return RedisServer.of(settings(uri));
    }

    @Test
    void hostPortAndDatabaseComeFromTheUri() {
        assertThat(server("redis://example.org"))
                .isEqualTo(new RedisServer("example.org", 6379, false, null, null, 0))
                .hasToString("example.org:6379");
        assertThat(server("rediss://[::1]:7000/12")).isEqualTo(new RedisServer("::1", 7000, true, null, null, 12));
    }

    @Test
    void userAndPasswordAreSplitBeforeTheyAreDecoded() {
        assertCredentials("redis://secret@h", null, "secret");
        assertCredentials("redis://:secret@h", null, "secret");
        assertCredentials("redis://user:secret@h", "user", "secret");
        assertCredentials("redis://u%3Aser:a:b%40%2F%25+c@h", "u:ser", "a:b@/%+c");
        assertCredentials("redis://:%E9%8E%96@h", null, "\u9396");
    }

    private static void assertCredentials(String uri, String user, String password) {
        assertThat(server(uri).user()).isEqualTo(user);
        assertThat(server(uri).password()).isEqualTo(password);
        assertThat(server(uri).toString()).doesNotContain(password);
    }

    @Test
    void aMalformedUriIsRejectedWithoutPrintingIt() {
        for (String uri :
                List.of("redis://:s3cret@", "redis://user:s3cret", "redis://s3cret%40my_host", "redis://s3cret!")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> server(uri))
                    .withMessageContaining("no host")
                    .withMessageNotContaining("s3cret");
            assertThat(settings(uri).toString()).doesNotContain("s3cret");
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> server("redis://user:p@s3cret@h"))
                .withMessageContaining("@ is %40")
                .withMessageNotContaining("s3cret");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> server("redis://user:@h"))
                .withMessageContaining("without a password");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> server("redis://:s3cret@h/zero"))
                .withMessageContaining("number of a database")
                .withMessageNotContaining("s3cret");
    }

    /** Containers have such names. One host with an underscore was refused, and several were not. */
    @Test
    void aHostMayHaveAnUnderscoreInItsName() {
        assertThat(server("redis://me:s%40cret@my_redis_1/2"))
                .isEqualTo(new RedisServer("my_redis_1", 6379, false, "me", "s@cret", 2));
        ConnectionSettings settings = settings("rediss://:s3cret@my_redis_1:7000");
        assertThat(settings.address()).isEqualTo("rediss://my_redis_1:7000");
        assertThat(settings.connectorInfo().seeds()).containsExactly(new RedisAddress("my_redis_1", 7000));
    }

    @Test
    void aUriMayNameSeveralNodesOfACluster() {
        String uri = "rediss://me:s%40cret@one:7000,two,my_three:7002";
        assertThat(RedisServer.allOf(settings(uri)))
                .containsExactly(
                        new RedisServer("one", 7000, true, "me", "s@cret", 0),
                        new RedisServer("two", 6379, true, "me", "s@cret", 0),
                        new RedisServer("my_three", 7002, true, "me", "s@cret", 0));
        assertThat(server(uri).host()).isEqualTo("one");
        assertThat(settings(uri).address()).isEqualTo("rediss://one:7000,two,my_three:7002");
        assertThat(settings(uri).connectorInfo().seeds())
                .containsExactly(
                        new RedisAddress("one", 7000),
                        new RedisAddress("two", 6379),
                        new RedisAddress("my_three", 7002));
        assertThat(RedisServer.areSeveralNamedIn(URI.create(uri))).isTrue();
        assertThat(RedisServer.areSeveralNamedIn(URI.create("redis://:a,b@one")))
                .isFalse();
        assertThat(RedisServer.areSeveralNamedIn(URI.create("redis-sentinel://one,two?sentinelMasterId=m")))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "redis://:s3cret@one,",
                "redis://:s3cret@,one",
                "redis://:s3cret@one:1:2,two",
                "redis://:s3cret@one:70000,two",
                "redis://:s3@cret@one,two"
            })
    void aListOfNodesThatCannotBeReadIsRejectedWithoutPrintingIt(String uri) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> server(uri))
                .withMessageContaining("redis://host:port,host:port")
                .withMessageNotContaining("cret");
    }
}
