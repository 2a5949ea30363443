package dev.leasehold.examples.adapter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.Credentials;
import dev.leasehold.TlsOptions;
import dev.leasehold.spi.ConnectionSettings;
import dev.leasehold.spi.CredentialsSource;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.testkit.EmbeddedRedis;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class VertxCredentialsIT {

    @Test
    void aConnectionAsksForItsCredentials() {
        try (EmbeddedRedis redis = EmbeddedRedis.builder()
                .user("app", "on", ">s3cret", "~*", "&*", "+@all")
                .start()) {
            ConnectionSettings settings = new ConnectionSettings(
                    URI.create("redis://" + redis.host() + ":" + redis.port()),
                    "vertx",
                    Duration.ofSeconds(5),
                    Duration.ofSeconds(2),
                    TlsOptions.defaults(),
                    new CredentialsSource(() -> new Credentials("app", "s3cret"), Duration.ofSeconds(5)));
            try (RedisTransport transport = VertxTransport.create(Loops.VERTX, settings)) {
                assertThat(transport.describe()).succeedsWithin(Duration.ofSeconds(20));
                assertThat(redis.command("CLIENT", "LIST").toString()).contains("user=app");
            }
        }
    }
}
