package dev.leasehold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RenewalTest {

    @Test
    void theDefaultRenewsAfterEachThirdForAsLongAsItIsHeld() {
        assertThat(Renewal.whileHeld()).isEqualTo(new Renewal(1.0 / 3, Integer.MAX_VALUE));
        assertThat(Renewal.whileHeld().enabled()).isTrue();
        assertThat(Renewal.none().enabled()).isFalse();
        assertThat(Renewal.afterRatio(0.5).unlimited()).isTrue();
        assertThat(Renewal.afterRatio(0.5).atMost(3)).isEqualTo(new Renewal(0.5, 3));
        assertThat(Renewal.afterRatio(0.5).atMost(3).unlimited()).isFalse();
        assertThat(Renewal.none().unlimited()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 1, -0.1, 1.1, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, -0.0})
    void aRatioThatIsNoPartIsRefused(double ratio) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Renewal.afterRatio(ratio))
                .withMessageContaining("renewal ratio " + ratio)
                .withMessageContaining("between 0 and 1");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
    void aNumberOfRenewalsThatIsNotPositiveIsRefused(int times) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Renewal.whileHeld().atMost(times))
                .withMessageContaining("number of renewals " + times)
                .withMessageContaining("Renewal.none()");
    }

    @Test
    void noneCannotBeMadeToRenew() {
        assertThatIllegalArgumentException().isThrownBy(() -> Renewal.none().atMost(5));
    }

    @ParameterizedTest
    @CsvSource({
        "0.5, 100, true",
        "0.5, 99, false",
        "0.9, 501, true",
        "0.9, 499, false",
        "0.1, 200, true",
        "0.1, 199, false"
    })
    void enoughMustPassBeforeARenewalAndRemainAfter(double ratio, long leaseMillis, boolean accepted) {
        LockOptions.Builder options =
                LockOptions.builder().leaseTime(Duration.ofMillis(leaseMillis)).renewal(Renewal.afterRatio(ratio));
        if (accepted) {
            assertThat(options.build().renewal().ratio()).isEqualTo(ratio);
        } else {
            assertThatIllegalArgumentException().isThrownBy(options::build).withMessageContaining("too short");
        }
    }
}
