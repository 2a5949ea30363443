package dev.leasehold.benchmarks.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SubscriptionsTest {

    @Test
    void addsUpAllKindsOfAllConnections() {
        assertThat(Subscriptions.in(
                        "id=3 name=sub=9 db=0 sub=2 psub=1 ssub=0 multi=-1\nid=4 db=0 sub=0 psub=0 ssub=4\n"))
                .isEqualTo(7);
    }
}
