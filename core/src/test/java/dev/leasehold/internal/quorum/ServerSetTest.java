package dev.leasehold.internal.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ServerSetTest {

    @Test
    void serversThatGrantedInTimeCount() {
        assertThat(ServerSet.NONE.grantedBy(0b101)).isEqualTo(new ServerSet(0b101, 0, 0));
    }

    @Test
    void aLateServerCountsAfterARoundThatBeganLater() {
        ServerSet servers = ServerSet.NONE.grantedBy(0b011).grantedLate(2);
        assertThat(servers).isEqualTo(new ServerSet(0b011, 0b100, 0));
        assertThat(servers.afterRound(0b111, 0)).as("the round began before").isEqualTo(servers);
        assertThat(servers.afterRound(0b011, 0b100)).as("it did not extend").isEqualTo(servers);
        assertThat(servers.afterRound(0b111, 0b100)).isEqualTo(new ServerSet(0b111, 0, 0));
    }

    /**
     * The models refute the alternative: a server that lost the hold would count again by a delayed copy of a request.
     */
    @Test
    void aServerThatReportedTheHoldMissingNeverCountsAgain() {
        ServerSet without = ServerSet.NONE.grantedBy(0b111).without(1);
        assertThat(without).isEqualTo(new ServerSet(0b101, 0, 0b010));
        assertThat(without.grantedLate(1)).isEqualTo(without);
        assertThat(without.afterRound(0b111, 0b010)).isEqualTo(without);
        assertThat(without.grantedBy(0b010).confirmed()).isZero();
    }

    @Test
    void aLateServerThatReportsTheHoldMissingIsNotAwaited() {
        ServerSet servers = ServerSet.NONE.grantedBy(0b011).grantedLate(2).without(2);
        assertThat(servers.afterRound(0b111, 0b100).confirmed()).isEqualTo(0b011);
    }
}
