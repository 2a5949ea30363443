package dev.leasehold.internal.check;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.Leasehold;
import dev.leasehold.LeaseholdBuilder.Preflight;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.quorum.QuorumLeasehold;
import dev.leasehold.spi.ConnectionSettings;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spi.RedisTransportProvider;
import org.junit.jupiter.api.Test;

/** Clients of servers on which no lock can be exclusive. */
class UnsafeServerTest {

    private static final String DRAGONFLY = "redis_version:7.4.0\r\ndragonfly_version:df-v1.40.1\r\nrole:master\r\n";
    private static final String ACTIVE_REPLICA = "redis_version:6.3.4\r\nrole:active-replica\r\n";

    /** Opens the servers of a quorum: each is a Dragonfly. */
    public static final class Provider implements RedisTransportProvider {

        @Override
        public boolean supports(String scheme) {
            return scheme.equals("rediss");
        }

        @Override
        public RedisTransport open(ConnectionSettings settings) {
            return new DescribedServer(settings.uri().getHost(), DRAGONFLY);
        }
    }

    private static void connect(String info, Preflight mode) {
        Leasehold.builder()
                .transport(new DescribedServer("10.0.0.7", info))
                .preflight(mode)
                .build()
                .close();
    }

    @Test
    void isRefusedWithoutBeingAskedTo() {
        for (Preflight mode : new Preflight[] {Preflight.WARN, Preflight.REFUSE}) {
            assertThatThrownBy(() -> connect(ACTIVE_REPLICA, mode))
                    .as(mode.toString())
                    .isInstanceOf(LockUnavailableException.class)
                    .hasMessageContaining("active replica of KeyDB")
                    .hasMessageContaining("Use a KeyDB without active-replica");
        }
    }

    @Test
    void isAcceptedWithoutACheckAndSoAreOtherDangersWithAWarning() {
        assertThatCode(() -> connect(ACTIVE_REPLICA, Preflight.OFF)).doesNotThrowAnyException();
        assertThatCode(() -> connect("redis_version:6.0.9\r\nrole:master\r\n", Preflight.WARN))
                .doesNotThrowAnyException();
    }

    /** A restart shows in the run id. */
    @Test
    void aServerThatNamesNoRunIdIsRefusedByAQuorumBeforeAnyScriptRuns() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> QuorumLeasehold.connect("rediss://a", "rediss://b", "rediss://c"))
                .withMessageContaining("names no run_id in INFO")
                .withMessageContaining("Give independent standalone primaries");
    }
}
