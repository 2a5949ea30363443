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

class RedisUriTest {

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

    private static String uri(String... properties) {
        return new RedisUri("<default>", config(properties)).text();
    }

    @Test
    void takesTheHost() {
        assertThat(uri("hosts", "redis://one:6380/2")).isEqualTo("redis://one:6380/2");
        assertThat(uri("hosts", "redis://ann:secret@one")).isEqualTo("redis://ann:secret@one");
        assertThat(uri("hosts", "unix:///run/redis.sock")).isEqualTo("redis-socket:///run/redis.sock");
    }

    /** Containers have such names, which a URI of Java does not read: Leasehold connected to "null", without the password. */
    @Test
    void takesAHostWithAnUnderscoreInItsName() {
        assertThat(uri("hosts", "redis://:secret@shop_redis:6380/2")).isEqualTo("redis://:secret@shop_redis:6380/2");
        assertThat(uri("hosts", "redis://:secret@shop_redis", "client-type", "sentinel"))
                .isEqualTo("redis-sentinel://:secret@shop_redis?sentinelMasterId=mymaster&sentinelPassword=secret");
        for (String type : List.of("standalone", "cluster", "sentinel")) {
            assertThatThrownBy(() -> uri("hosts", "redis:///2", "client-type", type))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("quarkus.redis.hosts names a server without a host");
        }
        assertThatThrownBy(() -> uri("hosts", "unix:///run/redis.sock", "client-type", "sentinel"))
                .hasMessageContaining("quarkus.redis.hosts names a server without a host");
    }

    /** Quarkus uses one of them, and does not say which; Leasehold took them for the nodes of a cluster. */
    @Test
    void refusesSeveralHostsOfOneServer() {
        assertThatThrownBy(() -> uri("hosts", "redis://one,redis://two"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(
                        "quarkus.redis.hosts names 2 servers, and quarkus.redis.client-type is standalone")
                .hasMessageContaining("cluster or sentinel");
    }

    @Test
    void preferesThePasswordOfItsProperty() {
        assertThat(uri("hosts", "redis://ann:old@one", "password", "p@ss word"))
                .isEqualTo("redis://ann:p%40ss%20word@one");
        assertThat(uri("hosts", "redis://one", "password", "secret")).isEqualTo("redis://:secret@one");
    }

    @Test
    void usesTlsIfTheSchemeOrAPropertyDoes() {
        assertThat(uri("hosts", "rediss://one")).isEqualTo("rediss://one");
        assertThat(uri("hosts", "redis://one", "tls.enabled", "true")).isEqualTo("rediss://one");
        assertThat(uri("hosts", "redis://one", "tls-configuration-name", "shop"))
                .isEqualTo("rediss://one");
    }

    @Test
    void takesEachNodeOfACluster() {
        assertThat(uri("hosts", "redis://:secret@one:7000,redis://:secret@two", "client-type", "cluster"))
                .isIn("redis://:secret@one:7000,two", "redis://:secret@two,one:7000");
    }

    @Test
    void namesThePrimaryOfSentinels() {
        assertThat(uri("hosts", "redis://one:26379/3", "client-type", "sentinel", "master-name", "shop"))
                .isEqualTo("redis-sentinel://one:26379/3?sentinelMasterId=shop");
        assertThat(uri("hosts", "redis://one", "client-type", "sentinel", "password", "secret"))
                .isEqualTo("redis-sentinel://:secret@one?sentinelMasterId=mymaster&sentinelPassword=secret");
    }

    @Test
    void refusesWhatLeaseholdCannotDo() {
        assertThatThrownBy(() -> uri())
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("quarkus.redis.hosts is not set");
        assertThatThrownBy(() -> uri("hosts", "redis://one", "client-type", "replication"))
                .hasMessageContaining("quarkus.redis.client-type is replication");
        for (String hosts : List.of(
                "redis://one,redis://:secret@two",
                "redis://one,rediss://two",
                "redis://one,redis://two/1",
                "redis://one,unix:///two")) {
            assertThatThrownBy(() -> uri("hosts", hosts, "client-type", "cluster"))
                    .hasMessageContaining("quarkus.redis.hosts names servers that differ")
                    .hasMessageNotContaining("secret");
        }
        assertThatThrownBy(() -> uri("hosts", "redis://one?db=2"))
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
