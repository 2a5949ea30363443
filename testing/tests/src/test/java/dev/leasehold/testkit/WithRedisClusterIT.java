package dev.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

@WithRedisCluster(primaries = 2, partly = false)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class WithRedisClusterIT {

    private final EmbeddedCluster cluster;

    WithRedisClusterIT(EmbeddedCluster cluster) {
        this.cluster = cluster;
    }

    @Test
    @Order(1)
    void startsWhatTheAnnotationSays(EmbeddedCluster parameter) {
        assertThat(parameter).isSameAs(cluster);
        assertThat(cluster.primaries()).hasSize(2).isEqualTo(cluster.nodes());
        assertThat(cluster.nodes()).extracting(EmbeddedRedis::password).doesNotContainNull();
        assertThat(String.valueOf(cluster.nodes().get(0).command("CONFIG", "GET", "cluster-require-full-coverage")))
                .contains("yes");
        cluster.nodeOf("key").command("SET", "key", "value");
        cluster.nodes().get(0).pause();
        cluster.nodes().get(1).kill();
    }

    @Test
    @Order(2)
    void isUsableAgainBeforeTheNextTest() {
        assertThat(cluster.nodes())
                .allSatisfy(node -> assertThat(node.command("DBSIZE")).isEqualTo(0L));
        assertThat(cluster.nodeOf("key").command("SET", "key", "value")).isEqualTo("OK");
    }

    @Nested
    class InANestedClass {

        @Test
        void itIsTheSame(EmbeddedCluster nested) {
            assertThat(nested).isSameAs(cluster);
        }
    }
}
