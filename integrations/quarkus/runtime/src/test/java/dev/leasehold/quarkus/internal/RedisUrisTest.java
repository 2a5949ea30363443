package dev.leasehold.quarkus.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.TlsOptions;
import io.quarkus.redis.runtime.client.config.RedisClientConfig;
import io.quarkus.redis.runtime.client.config.RedisConfig;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RedisUrisTest {

    private static RedisClientConfig config(String... properties) {
        Map<String, String> values = new HashMap<>();
        for (int i = 0; i < properties.length; i += 2) {
            values.put("quarkus.redis." + properties[i], properties[i + 1]);
        }
        return new SmallRyeConfigBuilder()
                .addDefaultInterceptors()
                .addDiscoveredConverters()
                .withMapping(RedisConfig.class)
                .withSources(new PropertiesConfigSource(values, "test", 100))
                .build()
                .getConfigMapping(RedisConfig.class)
                .clients()
                .get("<default>");
    }

    private static List<String> uris(String... properties) {
        return new RedisUris("<default>", config(properties)).all();
    }

    @Test
    void takesTheHost() {
        assertThat(uris("hosts", "redis://one:6380/2")).containsExactly("redis://one:6380/2");
        assertThat(uris("hosts", "redis://ann:secret@one")).containsExactly("redis://ann:secret@one");
        assertThat(uris("hosts", "unix:///run/redis.sock")).containsExactly("redis-socket:///run/redis.sock");
    }

    @Test
    void preferesThePasswordOfItsProperty() {
        assertThat(uris("hosts", "redis://ann:old@one", "password", "p@ss word"))
                .containsExactly("redis://ann:p%40ss%20word@one");
        assertThat(uris("hosts", "redis://one", "password", "secret")).containsExactly("redis://:secret@one");
    }

    @Test
    void usesTlsIfTheSchemeOrAPropertyDoes() {
        assertThat(uris("hosts", "rediss://one")).containsExactly("rediss://one");
        assertThat(uris("hosts", "redis://one", "tls.enabled", "true")).containsExactly("rediss://one");
        assertThat(uris("hosts", "redis://one", "tls-configuration-name", "shop"))
                .containsExactly("rediss://one");
    }

    @Test
    void takesEachNodeOfACluster() {
        assertThat(uris("hosts", "redis://one,redis://two", "client-type", "cluster"))
                .containsExactlyInAnyOrder("redis://one", "redis://two");
    }

    @Test
    void namesThePrimaryOfSentinels() {
        assertThat(uris("hosts", "redis://one:26379/3", "client-type", "sentinel", "master-name", "shop"))
                .containsExactly("redis-sentinel://one:26379/3?sentinelMasterId=shop");
        assertThat(uris("hosts", "redis://one", "client-type", "sentinel", "password", "secret"))
                .containsExactly("redis-sentinel://:secret@one?sentinelMasterId=mymaster&sentinelPassword=secret");
    }

    @Test
    void refusesWhatLeaseholdCannotDo() {
        assertThatThrownBy(() -> uris())
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("quarkus.redis.hosts is not set");
        assertThatThrownBy(() -> uris("hosts", "redis://one", "client-type", "replication"))
                .hasMessageContaining("quarkus.redis.client-type is replication");
        assertThatThrownBy(() -> uris("hosts", "redis://one?db=2"))
                .hasMessageContaining("quarkus.redis.hosts has a query");
    }

    @Test
    void takesPemFilesForTls() {
        RedisClientConfig pem = config(
                "hosts", "rediss://one",
                "tls.trust-certificate-pem.certs", "ca.pem",
                "tls.key-certificate-pem.certs", "me.pem",
                "tls.key-certificate-pem.keys", "me.key");
        assertThat(RedisTls.options(pem, null))
                .isEqualTo(new TlsOptions(Path.of("ca.pem"), Path.of("me.pem"), Path.of("me.key")));
        assertThatThrownBy(() -> RedisTls.options(config("hosts", "rediss://one", "tls.trust-all", "true"), null))
                .hasMessageContaining("are all that Leasehold reads");
    }
}
