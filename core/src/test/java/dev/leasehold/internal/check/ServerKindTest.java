package dev.leasehold.internal.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.diagnostics.Finding;
import dev.leasehold.diagnostics.Finding.Level;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Host names are those of public examples. What INFO says is known from the source of Garnet and Dragonfly, from Valkey, which
 * runs here, and otherwise from outputs that users have published: none of these services was asked.
 */
class ServerKindTest {

    private static List<Finding> services(String host, String info) {
        return new DescribedServer(host, info)
                .findings().stream()
                        .filter(finding -> finding.subject().equals("service"))
                        .toList();
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            clustercfg.locks.abc123.memorydb.us-east-1.amazonaws.com,        MEMORYDB
            clustercfg.locks.abc123.memorydb.cn-north-1.amazonaws.com.cn,    MEMORYDB
            locks-abc123.serverless.use1.cache.amazonaws.com,                ELASTICACHE_SERVERLESS
            locks.abc123.ng.0001.euc1.cache.amazonaws.com,                   ELASTICACHE
            clustercfg.locks.abc123.use1.cache.amazonaws.com,                ELASTICACHE
            LOCKS.ABC123.0001.USE1.CACHE.AMAZONAWS.COM,                      ELASTICACHE
            locks.southindia.redis.azure.net,                                AZURE_MANAGED_REDIS
            locks.westeurope.redisenterprise.cache.azure.net,                AZURE_MANAGED_REDIS
            locks.redis.cache.windows.net,                                   AZURE_CACHE
            redis-14372.c15.us-east-1-2.ec2.redns.redis-cloud.com,           REDIS_SOFTWARE
            redis-12000.c1.us-east-1-2.ec2.cloud.redislabs.com,              REDIS_SOFTWARE
            on-sunbeam-19994.upstash.io,                                     UPSTASH
            cache.amazonaws.com.example.org,                                 REDIS
            notupstash.io,                                                   REDIS
            10.0.0.7,                                                        REDIS
            /run/redis.sock,                                                 REDIS
            """)
    void aServiceIsRecognisedByItsHostName(String host, ServerKind kind) {
        assertThat(ServerKind.of(List.of("10.0.0.3", host), Map.of())).isEqualTo(kind);
        assertThat(services(host, "")).isEqualTo(kind.findings());
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            os:Amazon MemoryDB,                  MEMORYDB
            os:Amazon ElastiCache,               ELASTICACHE
            rlec_version:7.4.2-54,               REDIS_SOFTWARE
            upstash_version:1.10.5,              UPSTASH
            dragonfly_version:df-v1.40.1,        DRAGONFLY
            garnet_version:1.0.61,               GARNET
            executable:/usr/local/bin/keydb-server, KEYDB
            valkey_version:8.1.0,                VALKEY
            os:Linux 6.1.0 x86_64,               REDIS
            """)
    void aServerIsRecognisedByInfo(String field, ServerKind kind) {
        assertThat(services("10.0.0.7", "redis_version:7.2.4\r\n" + field + "\r\n"))
                .isEqualTo(kind.findings());
    }

    @Test
    void aServicePrecedesTheServerThatItRuns() {
        assertThat(ServerKind.of(List.of("10.0.0.7"), Map.of("os", "Amazon ElastiCache", "valkey_version", "8.1.0")))
                .isEqualTo(ServerKind.ELASTICACHE);
    }

    @Test
    void eachButRedisHasOneSentence() {
        assertThat(ServerKind.values())
                .filteredOn(kind -> kind != ServerKind.REDIS)
                .allSatisfy(kind -> assertThat(kind.findings())
                        .singleElement()
                        .satisfies(finding -> assertThat(finding.text()).matches("[A-Z][^.]*(\\.\\w[^.]*)*\\.")));
    }

    @Test
    void aWarningHasARemedy() {
        assertThat(Arrays.stream(ServerKind.values()).flatMap(kind -> kind.findings().stream()))
                .allSatisfy(finding -> assertThat(finding.remedy().isEmpty())
                        .as(finding.text())
                        .isEqualTo(finding.level() == Level.FINE));
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            dragonfly_version:df-v1.40.1, Dragonfly df-v1.40.1.
            garnet_version:1.0.61,        Garnet 1.0.61.
            upstash_version:1.10.5,       Upstash 1.10.5.
            valkey_version:8.1.0,         Valkey 8.1.0.
            tcp_port:6379,                Redis 7.4.0.
            """)
    void theVersionIsThatOfTheProduct(String field, String version) {
        assertThat(new DescribedServer("10.0.0.7", "redis_version:7.4.0\r\n" + field).findings())
                .contains(new Finding(Level.FINE, "version", version, ""));
    }
}
