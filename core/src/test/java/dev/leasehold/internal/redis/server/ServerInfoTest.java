package dev.leasehold.internal.redis.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.spi.ServerDescription.Capability;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ServerInfoTest {

    @Test
    void theVersionIsThatOfTheServerItself() {
        ServerInfo redis = ServerInfo.parse("# Server\r\nredis_version:7.0.15\r\nrole:master\r\n");
        assertThat(redis.version()).isEqualTo("7.0.15");
        assertThat(redis.primary()).isTrue();
        assertThat(redis.inCluster()).isFalse();
        ServerInfo valkey = ServerInfo.parse("redis_version:7.2.4\r\nvalkey_version:8.1.3\r\nrole:slave\r\n");
        assertThat(valkey.version()).isEqualTo("8.1.3");
        assertThat(valkey.primary()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "redis_version:7.2.0",
                "redis_version:8.0.1",
                "redis_version:7.10.0",
                "redis_version:7.2.4\r\nvalkey_version:9.0.0"
            })
    void theCompatibleRedisVersionDecidesThatAServerHasWaitaof(String info) {
        assertThat(ServerInfo.parse(info).capabilities()).containsExactly(Capability.WAITS_FOR_DISKS);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"redis_version:7.0.15", "redis_version:6.2.11", "redis_version:x", "role:master", "", "no field"
            })
    void anOlderOrUnknownServerHasNoWaitaof(String info) {
        assertThat(ServerInfo.parse(info).capabilities()).isEmpty();
    }

    @Test
    void aClusterHasShardChannelsSinceRedis7() {
        assertThat(ServerInfo.parse("redis_version:7.0.0\r\ncluster_enabled:1\r\n"))
                .isEqualTo(new ServerInfo("7.0.0", true, true, 700));
        assertThat(ServerInfo.parse("redis_version:7.0.0").hasShardChannels()).isTrue();
        assertThat(ServerInfo.parse("redis_version:10.1.0").hasShardChannels()).isTrue();
        assertThat(ServerInfo.parse("redis_version:6.2.11").hasShardChannels()).isFalse();
        assertThat(ServerInfo.parse("").hasShardChannels()).isFalse();
    }

    @Test
    void helloSaysAsMuchWhereInfoIsForbidden() {
        assertThat(ServerInfo.ofHello(List.of(
                        "server", "redis", "version", "7.0.15", "proto", 2L, "mode", "cluster", "role", "replica")))
                .isEqualTo(new ServerInfo("7.0.15", false, true, 700));
        assertThat(ServerInfo.ofHello(
                        List.of("server", "valkey", "version", "8.0.1", "mode", "standalone", "role", "master")))
                .isEqualTo(new ServerInfo("8.0.1", true, false, 702));
        assertThat(ServerInfo.ofHello(null)).isEqualTo(ServerInfo.UNKNOWN);
    }
}
