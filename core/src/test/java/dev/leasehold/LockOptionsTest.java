package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LockOptionsTest {

    @Test
    void theDefaultsAreThoseOfTheTableInTheHandbook() {
        LockOptions options = LockOptions.defaults();
        assertThat(options.leaseTime()).isEqualTo(Duration.ofSeconds(30));
        assertThat(options.renewal()).isEqualTo(new Renewal(1.0 / 3, Integer.MAX_VALUE));
        assertThat(options.maxHold()).isNull();
        assertThat(options.waitStrategy()).isEqualTo(new WaitStrategy(Duration.ofMillis(50), Integer.MAX_VALUE, true));
        assertThat(options.interruptOnLoss()).isFalse();
        assertThat(options.label()).isNull();
        assertThat(options.durability()).isEqualTo(new Durability(0, Duration.ZERO, false));
        assertThat(LockOptions.builder().build()).isEqualTo(options);
    }

    @Test
    void aBuilderChangesTheGivenOptionsAndKeepsTheRest() {
        LockOptions options = LockOptions.builder()
                .leaseTime(Duration.ofSeconds(5))
                .renewal(Renewal.none())
                .maxHold(Duration.ofMinutes(1))
                .waitStrategy(WaitStrategy.polling(Duration.ofMillis(7), 3))
                .interruptOnLoss(true)
                .label("trace 1")
                .replicas(2, Duration.ofMillis(300))
                .build();
        assertThat(options.toBuilder().build()).isEqualTo(options);
        LockOptions other = options.toBuilder().label(null).maxHold(null).build();
        assertThat(other)
                .isNotEqualTo(options)
                .hasToString("LockOptions[leaseTime=PT5S, renewal="
                        + Renewal.none() + ", maxHold=null, waitStrategy="
                        + WaitStrategy.polling(Duration.ofMillis(7), 3)
                        + ", interruptOnLoss=true, label=null, durability="
                        + Durability.replicas(2, Duration.ofMillis(300)) + ", retainFor=null, minHold=null]");
        assertThat(other.toBuilder()
                        .label("trace 1")
                        .maxHold(Duration.ofMinutes(1))
                        .build())
                .isEqualTo(options)
                .hasSameHashCodeAs(options);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT-1S", "PT0.049999999S", "PT-2562047788015215H-30M-8S"})
    void aLeaseThatIsZeroNegativeOrTooShortIsRefused(String time) {
        Duration lease = Duration.parse(time);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockOptions.builder()
                        .leaseTime(lease)
                        .renewal(Renewal.none())
                        .build())
                .withMessageContaining("lease time " + lease)
                .withMessageContaining("at least PT0.05S")
                .withMessageContaining("such as 30 s");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT8760H0.000000001S", "PT2562047788015215H30M7.999999999S", "P106752D"})
    void aLeaseThatIsTooLongOrOverflowsIsRefused(String time) {
        Duration lease = Duration.parse(time);
        for (Renewal renewal : new Renewal[] {Renewal.none(), Renewal.whileHeld()}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> LockOptions.builder()
                            .leaseTime(lease)
                            .renewal(renewal)
                            .build())
                    .withMessageContaining("lease time " + lease)
                    .withMessageContaining("at most");
        }
        assertThat(LockOptions.builder().leaseTime(Duration.ofDays(365)).build().leaseTime())
                .isEqualTo(Duration.ofDays(365));
    }

    @Test
    void aLeaseThatLeavesNoTimeForItsRenewalIsRefused() {
        LockOptions.Builder builder = LockOptions.builder().leaseTime(Duration.ofMillis(60));
        assertThatIllegalArgumentException()
                .isThrownBy(builder::build)
                .withMessageContaining("lease time PT0.06S")
                .withMessageContaining("PT0.05S remain")
                .withMessageContaining("Renewal.none()");
        assertThat(builder.renewal(Renewal.none()).build().leaseTime()).isEqualTo(Duration.ofMillis(60));
    }

    @Test
    void theShortestLeaseWithTheDefaultRenewalIs75Milliseconds() {
        assertThat(LockOptions.builder()
                        .leaseTime(Duration.ofMillis(75))
                        .build()
                        .leaseTime())
                .isEqualTo(Duration.ofMillis(75));
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        LockOptions.builder().leaseTime(Duration.ofMillis(74)).build());
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT-1S", "PT2562047788015215H30M7.999999999S"})
    void aMaximumHoldThatIsNotPositiveOrOverflowsIsRefused(String time) {
        Duration hold = Duration.parse(time);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockOptions.builder().maxHold(hold).build())
                .withMessageContaining("maximum hold " + hold)
                .withMessageContaining("positive")
                .withMessageContaining("Leave it out");
    }

    @Test
    void aLabelMayHave63Bytes() {
        assertThat(LockOptions.builder().label("\u4e2d".repeat(21)).build().label())
                .hasSize(21);
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        LockOptions.builder().label("\u4e2d".repeat(21) + "a").build())
                .withMessageContaining("label")
                .withMessageContaining("63 bytes")
                .withMessageContaining("Shorten");
    }

    @Test
    void theWaitForReplicasIsAtMostAThirdOfTheLease() {
        LockOptions.Builder builder =
                LockOptions.builder().leaseTime(Duration.ofSeconds(3)).replicas(1, Duration.ofSeconds(1));
        assertThat(builder.build().durability().enabled()).isTrue();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.replicas(1, Duration.ofMillis(1001)).build())
                .withMessageContaining("PT1.001S")
                .withMessageContaining("lease of PT3S")
                .withMessageContaining("a third")
                .withMessageContaining("Shorten it");
        assertThat(builder.durability(Durability.none()).build().durability().enabled())
                .isFalse();
    }

    @Test
    void aNumberOfReplicasOrATimeForThemThatMeansNothingIsRefused() {
        for (int number : new int[] {0, -1}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> LockOptions.builder().replicas(number, Duration.ofMillis(100)))
                    .withMessageContaining("number of replicas " + number)
                    .withMessageContaining("positive")
                    .withMessageContaining("Durability.none()");
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockOptions.builder().replicas(1, Duration.ofNanos(999_999)))
                .withMessageContaining("PT0.000999999S")
                .withMessageContaining("at least PT0.001S")
                .withMessageContaining("such as 200 ms");
    }

    @Test
    void onDiskCountsThePrimaryAndTheReplicasBesideIt() {
        LockOptions.Builder builder = LockOptions.builder().leaseTime(Duration.ofSeconds(9));
        Durability alone = builder.onDisk(0, Duration.ofSeconds(3)).build().durability();
        assertThat(alone).isEqualTo(new Durability(0, Duration.ofSeconds(3), true));
        assertThat(alone.enabled()).isTrue();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.onDisk(1, Duration.ofMillis(3001)).build())
                .withMessageContaining("time for disks PT3.001S")
                .withMessageContaining("a third");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockOptions.builder().onDisk(-1, Duration.ofMillis(100)))
                .withMessageContaining("number of replicas -1")
                .withMessageContaining("onDisk(0, ...)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockOptions.builder().onDisk(0, Duration.ZERO))
                .withMessageContaining("time for disks PT0S")
                .withMessageContaining("at least PT0.001S")
                .withMessageContaining("appendfsync");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT-1S", "PT0.099999999S", "PT1.000000001S"})
    void aTimeToRetainThatIsTooShortOrTooLongIsRefused(String time) {
        Duration retainFor = Duration.parse(time);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockOptions.builder().retainFor(retainFor).build())
                .withMessageContaining("the time " + retainFor + " to retain a hold must be from PT0.1S to PT1S");
    }

    @Test
    void whatCannotBeRetainedIsRefused() {
        LockOptions.Builder retaining = LockOptions.builder().retainFor(Duration.ofMillis(500));
        assertThat(retaining.build().retainFor()).isEqualTo(Duration.ofMillis(500));
        assertThat(retaining.retainFor(null).build()).isEqualTo(LockOptions.defaults());
        retaining.retainFor(Duration.ofMillis(500));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> retaining.build().toBuilder()
                        .leaseTime(Duration.ofMillis(400))
                        .build())
                .withMessageContaining("exceeds the lease time PT0.4S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> retaining.build().toBuilder()
                        .maxHold(Duration.ofMillis(400))
                        .build())
                .withMessageContaining("exceeds the maximum hold PT0.4S");
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        retaining.build().toBuilder().renewal(Renewal.none()).build())
                .withMessageContaining("must be renewed without limit. Use Renewal.whileHeld()");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> retaining.build().toBuilder()
                        .replicas(1, Duration.ofMillis(100))
                        .build())
                .withMessageContaining("Use Durability.none(), or leave out retainFor");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT-1S"})
    void aMinimumHoldThatIsNotPositiveIsRefused(String time) {
        Duration minimum = Duration.parse(time);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockOptions.builder().minHold(minimum).build())
                .withMessageContaining("minimum hold " + minimum + " must be positive");
    }

    @Test
    void aMinimumHoldThatTheLeaseDoesNotCoverIsRefused() {
        LockOptions.Builder kept = LockOptions.builder().minHold(Duration.ofSeconds(30));
        assertThat(kept.build().toBuilder().build().minHold()).isEqualTo(Duration.ofSeconds(30));
        assertThat(kept.minHold(null).build()).isEqualTo(LockOptions.defaults());
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> kept.minHold(Duration.ofSeconds(30).plusNanos(1)).build())
                .withMessageContaining("minimum hold PT30.000000001S exceeds the lease time PT30S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockOptions.builder()
                        .minHold(Duration.ofSeconds(1))
                        .retainFor(Duration.ofMillis(500))
                        .build())
                .withMessageContaining("Leave out one of them");
    }
}
