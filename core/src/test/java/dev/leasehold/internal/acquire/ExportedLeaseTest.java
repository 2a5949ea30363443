package dev.leasehold.internal.acquire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.KeyPrefix;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.OwnerKey;
import dev.leasehold.internal.store.ServerTime;
import java.security.SecureRandom;
import org.junit.jupiter.api.Test;

/** The string of an exported lease: its contents, and the strings that are refused. */
class ExportedLeaseTest {

    private static final KeyPrefix PREFIX = new KeyPrefix("leasehold");
    private static final AcquisitionId ID = AcquisitionId.next(new SecureRandom());

    private static ExportedLease of(String name, OwnerKey owner) {
        return new ExportedLease(LockKey.of(PREFIX, name), ID, owner, new ServerTime(1_795_241_727_272_656L), 1L << 52);
    }

    @Test
    void keepsAllFields() {
        for (String name : new String[] {"a", "a{b}c 50 %", "订单\r\n", "x".repeat(512), "订".repeat(170)}) {
            for (OwnerKey owner : new OwnerKey[] {null, OwnerKey.named("o"), OwnerKey.named("订单 ".repeat(50))}) {
                ExportedLease lease = of(name, owner);
                String string = lease.encode();
                assertThat(ExportedLease.decode(PREFIX, string)).isEqualTo(lease);
                assertThat(string).matches("[A-Za-z0-9._-]{20,3000}");
            }
        }
    }

    @Test
    void theLongestKeyAndOwnerFit() {
        KeyPrefix longest = new KeyPrefix("p".repeat(64));
        ExportedLease lease = new ExportedLease(
                LockKey.of(longest, "%".repeat(512)),
                ID,
                OwnerKey.named("o".repeat(512)),
                new ServerTime((1L << 53) - 1),
                (1L << 53) - 1);
        assertThat(lease.encode()).hasSizeLessThanOrEqualTo(3000);
        assertThat(ExportedLease.decode(longest, lease.encode())).isEqualTo(lease);
    }

    @Test
    void anyChangeIsDetectedAndNothingOfTheStringIsQuoted() {
        String string = of("a", null).encode();
        for (int i = 0; i < string.length(); i++) {
            String changed = string.substring(0, i) + (string.charAt(i) == 'A' ? 'B' : 'A') + string.substring(i + 1);
            assertThatThrownBy(() -> ExportedLease.decode(PREFIX, changed))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("export()")
                    .hasMessageNotContaining(changed.substring(4, 20))
                    .hasNoCause();
            String cut = string.substring(0, i);
            assertThatThrownBy(() -> ExportedLease.decode(PREFIX, cut))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasNoCause();
        }
        assertThatThrownBy(() -> ExportedLease.decode(PREFIX, string + "A"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ExportedLease.decode(PREFIX, "lh1.ß")).hasNoCause();
        assertThatThrownBy(() -> ExportedLease.decode(PREFIX, "")).hasMessageContaining("lh1.");
    }

    @Test
    void theErrorForAnotherPrefixNamesBothPrefixes() {
        assertThatThrownBy(() -> ExportedLease.decode(
                        new KeyPrefix("billing"), of("a", null).encode()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'leasehold:{a}'")
                .hasMessageContaining("'billing'");
    }

    @Test
    void toStringContainsNoSecret() {
        ExportedLease lease = of("a", null);
        assertThat(lease).hasToString("exported lease of lock 'a'");
    }
}
