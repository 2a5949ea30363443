package dev.leasehold.internal.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.diagnostics.Finding;
import dev.leasehold.spi.ConnectionPurpose;
import dev.leasehold.spi.RedisServer;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers that others name, to which the client does not connect otherwise. */
class TemporaryConnectionsTest {

    /** A replica announces any text for its host. */
    @ParameterizedTest
    @ValueSource(strings = {"a b", "x@y", "%zz", "[::1"})
    void aHostThatNoUriMayHaveIsAFinding(String host) {
        TemporaryConnections connections = new TemporaryConnections(new DescribedServer("primary", "").config());
        List<Finding> findings = connections.at(
                new RedisServer(host, 6379, false, "app", "s3cret", 0),
                ConnectionPurpose.COMMANDS,
                "replica",
                "Look at it.",
                queries -> List.of());
        assertThat(findings).singleElement().satisfies(finding -> {
            assertThat(finding.level()).isEqualTo(Finding.Level.WARNING);
            assertThat(finding.text()).contains(host + ":6379").contains("Not checked");
            assertThat(finding.toString()).doesNotContain("s3cret");
        });
    }
}
