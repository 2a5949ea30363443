package dev.leasehold.tck;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.Leasehold;
import dev.leasehold.quorum.QuorumLeasehold;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.EmbeddedRedisBuilder;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A URI that names several nodes of a cluster, of a client that connects by it. */
class ClusterUriContract extends ClusterLeases {

    /** Returns a URI that names these servers in this order, with the credentials of the cluster. */
    private String uri(EmbeddedRedis... servers) {
        String userInfo = URI.create(cluster.uri()).getRawUserInfo();
        return "redis://" + (userInfo == null ? "" : userInfo + "@")
                + Stream.of(servers)
                        .map(each -> each.host() + ":" + each.port())
                        .collect(Collectors.joining(","));
    }

    /** Connects by a URI, and uses locks of all nodes. */
    private void usesAllNodes(String uri) {
        leasehold.close();
        leasehold = builder().uri(uri).connectTimeout(Duration.ofSeconds(2)).build();
        names(1).values().stream().flatMap(List::stream).forEach(this::use);
    }

    @Test
    void ofSeveralNodesInAUriAnyWillDo() {
        EmbeddedRedis second = cluster.nodes().get(1);
        EmbeddedRedis third = cluster.nodes().get(2);
        try (EmbeddedRedis gone = EmbeddedRedis.start()) {
            gone.kill();
            usesAllNodes(uri(gone, second, third));
            usesAllNodes(uri(second, gone));
        }
        try (EmbeddedRedis silent = EmbeddedRedis.start()) {
            silent.pause();
            usesAllNodes(uri(silent, third));
        }
        EmbeddedRedisBuilder stranger = EmbeddedRedis.builder().password("another");
        try (EmbeddedRedis refuses = stranger.start()) {
            usesAllNodes(uri(refuses, second));
        }
    }

    @Test
    void aNodeThatHasLeftTheClusterIsPassedOver() {
        EmbeddedRedisBuilder settings = EmbeddedRedis.builder().config("cluster-enabled", "yes");
        String password = cluster.nodes().get(0).password();
        try (EmbeddedRedis left =
                (password == null ? settings.withoutPassword() : settings.password(password)).start()) {
            usesAllNodes(uri(left, cluster.nodes().get(0)));
        }
    }

    @Test
    void severalServersThatAreNoClusterAreRefused() {
        EmbeddedRedisBuilder settings = EmbeddedRedis.builder();
        String password = cluster.nodes().get(0).password();
        try (EmbeddedRedis alone =
                (password == null ? settings.withoutPassword() : settings.password(password)).start()) {
            String uri = uri(alone, cluster.nodes().get(0));
            assertThatThrownBy(() -> Leasehold.connect(uri))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(":" + alone.port() + " is no node of a cluster")
                    .hasMessageContaining("quorum(...)");
            assertThatThrownBy(() -> QuorumLeasehold.connect(
                            uri, cluster.uris().get(0), cluster.uris().get(1)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("it names several");
        }
    }
}
