package dev.leasehold.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.leasehold.TlsOptions;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RedisServerTest {

    private static RedisServer server(String uri) {
        return RedisServer.of(new ConnectionSettings(
                URI.create(uri), "test", Duration.ofSeconds(1), Duration.ofSeconds(1), TlsOptions.defaults()));
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
        assertThatIllegalArgumentException()
                .isThrownBy(() -> server("redis://:s3cret@my_host:6379"))
                .withMessageContaining("no host")
                .withMessageNotContaining("s3cret");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> server("redis://user:@h"))
                .withMessageContaining("without a password");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> server("redis://:s3cret@h/zero"))
                .withMessageContaining("number of a database")
                .withMessageNotContaining("s3cret");
    }
}
