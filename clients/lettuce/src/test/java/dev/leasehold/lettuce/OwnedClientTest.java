package dev.leasehold.lettuce;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.TlsOptions;
import dev.leasehold.spi.ConnectionSettings;
import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslVerifyMode;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class OwnedClientTest {

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(3);

    private static RedisURI uri(String uri) {
        return OwnedClient.uri(new ConnectionSettings(
                URI.create(uri), "name", CONNECT_TIMEOUT, Duration.ofSeconds(2), TlsOptions.defaults()));
    }

    @Test
    void hostPortAndDatabaseComeFromTheUri() {
        RedisURI plain = uri("redis://example.org");
        assertThat(plain.getHost()).isEqualTo("example.org");
        assertThat(plain.getPort()).isEqualTo(6379);
        assertThat(plain.getDatabase()).isZero();
        assertThat(plain.isSsl()).isFalse();
        RedisURI all = uri("redis://[::1]:7000/12");
        assertThat(all.getHost()).isEqualTo("::1");
        assertThat(all.getPort()).isEqualTo(7000);
        assertThat(all.getDatabase()).isEqualTo(12);
        assertThat(all.getTimeout()).isEqualTo(CONNECT_TIMEOUT);
    }

    @Test
    void aSecureConnectionVerifiesCertificateAndHost() {
        RedisURI secure = uri("rediss://example.org");
        assertThat(secure.isSsl()).isTrue();
        assertThat(secure.isStartTls()).isFalse();
        assertThat(secure.getVerifyMode()).isEqualTo(SslVerifyMode.FULL);
    }

    @Test
    void userAndPasswordAreThoseOfTheUri() {
        assertCredentials("redis://h", null, null);
        assertCredentials("redis://secret@h", null, "secret");
        assertCredentials("redis://user:secret@h", "user", "secret");
    }

    private static void assertCredentials(String uri, String user, String password) {
        RedisCredentials credentials =
                uri(uri).getCredentialsProvider().resolveCredentials().block();
        assertThat(credentials.getUsername()).isEqualTo(user);
        assertThat(credentials.hasPassword()).isEqualTo(password != null);
        if (password != null) {
            assertThat(new String(credentials.getPassword())).isEqualTo(password);
        }
    }
}
