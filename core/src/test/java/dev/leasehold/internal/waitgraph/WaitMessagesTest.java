package dev.leasehold.internal.waitgraph;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.LockOptions;
import dev.leasehold.inspect.WaiterInfo;
import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.KeyPrefix;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.LockKind;
import dev.leasehold.internal.lease.LeaseTable;
import dev.leasehold.spi.TimeSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Questions and answers, and what a client tells of itself. */
class WaitMessagesTest {

    private static final KeyPrefix PREFIX = new KeyPrefix("app");

    private final AtomicInteger ids = new AtomicInteger();
    private final LeaseTable leases =
            new LeaseTable(() -> new AcquisitionId("acquisition-" + ids.incrementAndGet()), forgotten -> {});
    private final LocalWaits local = new LocalWaits("17@a host", leases, TimeSource.system());

    private void waits(String lock) {
        leases.add(LockKey.of(PREFIX, lock), null, LockOptions.defaults(), Thread.currentThread(), false)
                .begunAt(System.nanoTime());
    }

    private WaitReport report(Set<Long> threads) {
        return Objects.requireNonNull(WaitReport.read("question", local.answer("question", threads)));
    }

    @Test
    void anEntryThatNoLockCanHaveIsLeftOut() {
        for (String key : List.of("", "x", "app:{")) {
            assertThat(LeaseEntry.read("w bb aa " + key + " STANDARD LOCK 0 7 t "))
                    .as(key)
                    .isNull();
        }
        for (String key : List.of("", "a%00b", "x".repeat(513))) {
            assertThat(LeaseEntry.read("w bb aa " + key + " PLAIN LOCK 0 7 t ")).isNull();
            assertThat(LeaseEntry.read("w bb aa " + key + " REDISSON LOCK 0 7 t "))
                    .isNull();
        }
    }

    @Test
    void ofAnAnswerAsMuchIsReadAsAProcessSends() {
        String line = "\nw bb aa " + LeaseEntry.encoded("app:{a}") + " STANDARD LOCK 0 7 t ";
        WaitReport read = WaitReport.read("question", "question process" + line.repeat(2 * LocalWaits.MOST_ENTRIES));
        assertThat(read).isNotNull();
        assertThat(read.entries()).hasSize(LocalWaits.MOST_ENTRIES);
    }

    @Test
    void aReportIsReadAsItWasWritten() {
        LeaseEntry hostile = new LeaseEntry(
                true,
                "l",
                "h",
                "app:{a b\n}",
                LockKind.STANDARD,
                WaiterInfo.Wants.READ,
                12,
                34,
                "w 1 2\ns 7 x",
                "öwner\u0000");
        LeaseEntry plain = new LeaseEntry(false, "", "", "key", LockKind.PLAIN, WaiterInfo.Wants.LOCK, 0, 0, "", "");
        WaitReport report = new WaitReport(
                "17@a\nhost",
                List.of(hostile, plain),
                Map.of(34L, List.of("a.B.c(B.java:1)", "x\ny")),
                ReportProofs.NONE);
        String text = report.text("question", List.of("id of a hold", "p q"));
        WaitReport read = WaitReport.read("question", text);
        assertThat(read)
                .isNotNull()
                .usingRecursiveComparison()
                .ignoringFields("proofs")
                .isEqualTo(report);
        assertThat(read.proofs().prove("id of a hold")).isTrue();
        assertThat(read.proofs().prove("p q")).isTrue();
        assertThat(read.proofs().prove("id of another")).isFalse();
        assertThat(text).doesNotContain("id of a hold");
        assertThat(WaitReport.read("another", text)).isNull();
    }

    @Test
    void whatIsNoReportIsNotRead() {
        assertThat(WaitReport.read("question", "")).isNull();
        assertThat(WaitReport.read("question", "question")).isNull();
        WaitReport report = WaitReport.read(
                "question", "question p\nw 1 2\nw a b c  NONSENSE 1 2 t o\nh a b c  LOCK x 2 t o\ns x y\ns 1 2 3\nz");
        assertThat(report).isNotNull();
        assertThat(report.process()).isEqualTo("p");
        assertThat(report.entries()).isEmpty();
        assertThat(report.stacks()).isEmpty();
        for (String proofs : List.of("", "h", "h ", " c", "h c", "h c d", "\np \np h")) {
            WaitReport forged = WaitReport.read("question", "question p\np " + proofs);
            assertThat(forged).as(proofs).isNotNull();
            assertThat(forged.proofs().prove("h")).as(proofs).isFalse();
        }
    }

    @Test
    void aQuestionIsReadAsItWasWrittenAndAnythingElseIsNot() {
        WaitQuestion question = new WaitQuestion("number", "app:w:reply", Set.of(1L, 23L));
        assertThat(WaitQuestion.read(PREFIX, question.text())).isEqualTo(question);
        for (String other : List.of(
                "",
                "waits",
                "waits number",
                "waits number other:w:reply",
                "waits number app:w:reply x",
                "waits number app:w:reply -1",
                "wait number app:w:reply",
                "waits number app:w:reply" + " 1".repeat(101))) {
            assertThat(WaitQuestion.read(PREFIX, other)).as(other).isNull();
        }
        assertThat(WaitQuestion.channel(PREFIX, "17@a host\n")).isEqualTo("app:w:17@a_host%0A");
    }

    /** The id of a hold is a secret: who knows it can release the hold. */
    @Test
    void aReportTellsNoSecret() {
        waits("a");
        String text = local.answer("question", Set.of());
        assertThat(text).contains("app:%7Ba%7D").doesNotContain("acquisition-1");
    }

    @Test
    void aReportIsBoundedAndHasTheStacksThatWereAskedFor() {
        for (int i = 0; i < LocalWaits.MOST_ENTRIES + 10; i++) {
            waits("lock " + i);
        }
        WaitReport report = report(Set.of(Thread.currentThread().getId(), -5L));
        assertThat(report.process()).isEqualTo("17@a_host");
        assertThat(report.entries()).hasSize(LocalWaits.MOST_ENTRIES).allMatch(LeaseEntry::waits);
        assertThat(report.stacks()).containsOnlyKeys(Thread.currentThread().getId());
        assertThat(report.stacks().get(Thread.currentThread().getId()))
                .anyMatch(frame -> frame.contains(WaitMessagesTest.class.getName()));
        assertThat(report(Set.of()).stacks()).isEmpty();
        assertThat(local.waitsSince(0)).isTrue();
        assertThat(local.waitsSince(3_600_000_000_000L)).isFalse();
    }
}
