package dev.leasehold.internal.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class OwnerKeyTest {

    @Test
    void aShortNameIsKeptAsItIs() {
        OwnerKey owner = OwnerKey.named("order-17");
        assertThat(owner.field()).isEqualTo("n:order-17");
        assertThat(owner.name()).isEqualTo("order-17");
        assertThat(OwnerKey.display(owner.field())).isEqualTo("order-17");
        assertThat(OwnerKey.isNamed(owner.field())).isTrue();
    }

    @Test
    void aLongNameIsHashed() {
        assertThat(OwnerKey.named("a".repeat(44)).field()).isEqualTo("n:" + "a".repeat(44));
        assertThat(OwnerKey.named("a".repeat(45)).field()).matches("n#[A-Za-z0-9_-]{43}");
        assertThat(OwnerKey.named("\u4e2d".repeat(15)).field()).as("45 bytes").startsWith("n#");
    }

    @Test
    void theFieldStaysBelow64BytesAndDifferentOwnersDiffer() {
        Set<String> fields = new HashSet<>();
        for (int bytes = 1; bytes <= Names.MAX_BYTES; bytes++) {
            OwnerKey owner = OwnerKey.named("x".repeat(bytes));
            assertThat(owner.field().getBytes(StandardCharsets.UTF_8)).hasSizeLessThan(64);
            assertThat(owner.name()).hasSize(bytes);
            fields.add(owner.field());
        }
        assertThat(fields).hasSize(Names.MAX_BYTES);
    }

    @Test
    void noOwnerNameLooksLikeAnAcquisition() {
        AcquisitionId id = AcquisitionId.next(new SecureRandom());
        assertThat(OwnerKey.named(id.value()).field())
                .isNotEqualTo(OwnerKey.anonymous(id).field());
        assertThat(OwnerKey.isNamed(OwnerKey.anonymous(id).field())).isFalse();
    }

    @Test
    void anOwnerHasTheRulesOfNames() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OwnerKey.named(""))
                .withMessageContaining("owner");
        assertThatIllegalArgumentException().isThrownBy(() -> OwnerKey.named("a\0"));
        assertThatIllegalArgumentException().isThrownBy(() -> OwnerKey.named("a".repeat(513)));
    }

    @Test
    void theDisplayedOwnerIsSafeAndNoSecret() {
        AcquisitionId id = AcquisitionId.next(new SecureRandom());
        String start = id.value().substring(0, 8);
        assertThat(OwnerKey.anonymous(id).shown()).isEqualTo(start);
        assertThat(OwnerKey.anonymous(id).name()).isEqualTo(start);
        assertThat(OwnerKey.display(id.value())).isEqualTo(start);
        assertThat(id).hasToString(start);
        assertThat(OwnerKey.named("a\nb").shown()).isEqualTo("'a\\u000ab'");
    }

    @Test
    void anAcquisitionIdHas128RandomBits() {
        SecureRandom random = new SecureRandom();
        Set<String> ids = new HashSet<>();
        for (int i = 0; i < 10_000; i++) {
            ids.add(AcquisitionId.next(random).value());
        }
        assertThat(ids).hasSize(10_000).allMatch(id -> id.matches("[A-Za-z0-9_-]{22}"));
    }
}
