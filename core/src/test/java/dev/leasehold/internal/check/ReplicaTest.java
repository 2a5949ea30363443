package dev.leasehold.internal.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.diagnostics.Finding;
import dev.leasehold.spi.RedisNode;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReplicaTest {

    private static Replica of(String line) {
        return Replica.of(Map.of("master_repl_offset", "3000000", "slave0", line))
                .get(0);
    }

    private static List<Finding> findings(String line) {
        return of(line).findings("");
    }

    @Test
    void isParsedFromTheInfoOfItsPrimary() {
        assertThat(of("ip=::1,port=6380,state=online,offset=2999990,lag=1,type=replica"))
                .isEqualTo(new Replica(new RedisNode("::1", 6380, false), "online", 1, 10));
        assertThat(Replica.of(Map.of("role", "master", "connected_slaves", "0")))
                .isEmpty();
        assertThat(Replica.of(Map.of("slave0", "ip=a,port=1", "slave1", "ip=b,port=2")))
                .hasSize(2);
    }

    @Test
    void isSoundIfItIsOnlineAndConfirms() {
        assertThat(findings("ip=a,port=1,state=online,offset=2999990,lag=2")).isEmpty();
    }

    @Test
    void isReportedIfItLacksTheLocksOrLags() {
        assertThat(findings("ip=a,port=1,state=wait_bgsave,offset=0,lag=0"))
                .singleElement()
                .satisfies(found -> assertThat(found.text()).contains("a:1 is not online (wait_bgsave)"));
        assertThat(findings("ip=a,port=1,state=online,offset=2999990,lag=3"))
                .singleElement()
                .satisfies(found -> assertThat(found.text()).contains("last confirmation was 3 s ago, and 10 bytes"));
        assertThat(findings("ip=a,port=1,state=online,offset=1000000,lag=0"))
                .singleElement()
                .satisfies(found -> assertThat(found.text()).contains("2000000 bytes"));
    }
}
