package dev.leasehold.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.leasehold.DistributedLock;
import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.event.LossEvent;
import dev.leasehold.inspect.LockInfo;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** The content of messages and logs: enough to act on, no secrets, and no forged lines. */
@SuppressWarnings("LockNotBeforeTry") // these tests are about locks that stay held
@Except(
        value = {
            Topology.TLS_AND_ACL,
            Topology.SENTINEL,
            Topology.CLUSTER,
            Topology.QUORUM_ONE_DEAD,
            Topology.QUORUM_ONE_FROZEN
        },
        because = "it tests the engine, which is the same on every topology")
class DiscretionContract extends WiredBase {

    private static final String FORGED = "ERROR the vault is open";

    @Test
    void aNameForgesNoLineInAnyLogOrMessage() throws Exception {
        // hazard 47: CR, LF and similar characters in a name, and a terminal's escape.
        for (String end : List.of("\r\n", "\n", "\u0085", "\u2028", "\u001b[2K")) {
            String name = name() + end + FORGED;
            List<String> said = everythingSaidOf(name, "owner" + end + FORGED, "thread" + end + FORGED);
            assertThat(said).filteredOn(text -> text.contains("open")).hasSizeGreaterThan(5);
            assertThat(said).noneMatch(text -> text.chars().anyMatch(DiscretionContract::breaksLines));
        }
    }

    @Test
    void durationsInLogsAreForPeople() throws Exception {
        assertThat(everythingSaidOf(name(), "owner", "thread"))
                .anyMatch(text -> text.matches("lost the lease of (quorum )?lock .* after \\d+(\\.\\d)? m?s: .*"))
                .noneMatch(text -> text.matches(".*\\bPT\\d.*"));
    }

    private static boolean breaksLines(int c) {
        return Character.isISOControl(c) || c == '\u2028' || c == '\u2029';
    }

    /** Returns the logs, messages and texts of a lock after many kinds of failures. */
    private List<String> everythingSaidOf(String name, String owner, String thread) throws Exception {
        Queue<String> said = new ConcurrentLinkedQueue<>();
        try (CapturedLog log = new CapturedLog(getClass())) {
            Wiretap wire = wire();
            Leasehold leasehold = client(wire, builder -> builder.commandTimeout(Duration.ofMillis(300)));
            DistributedLock lock = leasehold.lock(name);
            Lease lease = lock.ownedBy(owner).with(renewedSoon()).acquire();
            said.addAll(List.of(
                    lock.toString(), lease.toString(), lock.ownedBy(owner).toString()));
            message(said, lock::unlock);
            message(said, () -> lock.acquire(Duration.ofMillis(1)));
            assertThat(lock.forceRelease()).isTrue();
            await().until(() -> !lease.isHeld());
            message(said, lease::ensureHeld);
            message(said, lease::close);
            Thread stranger = new Thread(
                    () -> {
                        lock.lock();
                        wire.all((call, go) -> Wiretap.lost());
                        lock.unlock();
                    },
                    thread);
            stranger.start();
            stranger.join();
            message(said, lock::tryAcquire);
            wire.none();
            message(said, () -> leasehold.lock(name + "x".repeat(512)));
            said.addAll(log.messages());
        }
        return List.copyOf(said);
    }

    private static void message(Queue<String> said, Executable call) {
        for (Throwable e = catchThrowable(call::execute); e != null; e = e.getCause()) {
            said.add(String.valueOf(e.getMessage()));
        }
    }

    @Test
    void anAcquisitionHasAnUnguessableId() throws Exception {
        // hazard 49: a guessable owner value lets others release.
        String name = name();
        DistributedLock lock = client().lock(name);
        Set<String> ids = new HashSet<>();
        Set<String> beginnings = new HashSet<>();
        for (int i = 0; i < 500; i++) {
            try (Lease lease = lock.acquire()) {
                String id = field(name, "own");
                // 22 characters of 6 bits: 128 bits.
                assertThat(id).matches("[A-Za-z0-9_-]{22}").startsWith(lease.owner());
                ids.add(id);
                beginnings.add(id.substring(0, 6));
            }
        }
        assertThat(ids).hasSize(500);
        // No id follows from another by counting: the prefixes differ too.
        assertThat(beginnings).hasSizeGreaterThan(495);
    }

    @Test
    void noIdIsEverPrintedInFull() throws Exception {
        // hazard 49: a reader of logs or inspections must not learn the value that releases a hold.
        String name = name();
        Queue<String> said = new ConcurrentLinkedQueue<>();
        Queue<LossEvent> losses = new ConcurrentLinkedQueue<>();
        String id;
        try (CapturedLog log = new CapturedLog(getClass())) {
            DistributedLock lock = client().lock(name).with(renewedSoon());
            Lease lease = lock.acquire();
            lease.onLost(losses::add);
            id = field(name, "own");
            LockInfo info = lock.inspect().orElseThrow();
            said.addAll(List.of(lease.owner(), lease.toString(), info.toString(), lock.toString()));
            message(said, () -> lock.acquire(Duration.ofMillis(1)));
            message(said, lock::unlock);
            server().command("DEL", key(name));
            await().until(() -> !losses.isEmpty());
            message(said, lease::ensureHeld);
            message(said, lease::close);
            said.add(losses.toString());
            said.addAll(log.messages());
        }
        assertThat(said)
                .anyMatch(text -> text.contains(id.substring(0, 8)))
                .noneMatch(text -> text.contains(id))
                .noneMatch(text -> text.contains(id.substring(12)));
    }

    @Test
    void theLogShowsWhereALeakedLeaseWasAcquired() throws Exception {
        // hazard 9: the call site of a leak must be reported.
        String name = name();
        try (CapturedLog log = new CapturedLog(getClass())) {
            // Long enough for a busy machine: a lease that expires before the watchdog looks at it is lost, not leaked.
            WeakReference<Lease> dropped =
                    new WeakReference<>(client().lock(name).with(lease(15_000)).acquire());
            await().until(() -> {
                if (dropped.get() != null) {
                    System.gc();
                    return false;
                }
                return log.messages().stream().anyMatch(text -> text.contains("became unreachable"));
            });
            assertThat(log.messages())
                    .anyMatch(text -> text.contains(name) && text.contains("DiscretionContract.java:"));
        }
    }

    @Test
    void theLogSaysWhichThreadsHoldIsNotRenewedAnyMore() throws Exception {
        // hazard 9, with a thread.
        String name = name();
        try (CapturedLog log = new CapturedLog(getClass())) {
            DistributedLock lock = client().lock(name).with(lease(6000));
            Thread thread = new Thread(lock::lock);
            thread.start();
            thread.join(TimeUnit.SECONDS.toMillis(20));
            await().until(() -> log.messages().stream()
                    .anyMatch(text -> text.contains(name) && text.contains("its thread has ended")));
        }
    }
}
