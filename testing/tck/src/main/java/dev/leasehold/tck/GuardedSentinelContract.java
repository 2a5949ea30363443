package dev.leasehold.tck;

import static dev.leasehold.tck.TransportCalls.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import dev.leasehold.DistributedLock;
import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.TlsOptions;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.EmbeddedSentinel;
import dev.leasehold.testkit.TlsCertificates;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;

/** Sentinels and servers that use TLS and require different passwords. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@On(Topology.SENTINEL)
class GuardedSentinelContract extends AnyContract {

    private static final String OF_SERVERS = "s3cret@servers";
    private static final String OF_SENTINELS = "s3cret&sentinels";
    private static final String OF_WATCHER = "s3cret#watcher";

    private CapturedLog log;
    private TlsCertificates certificates;
    private EmbeddedSentinel redis;

    /** Starts the servers. */
    @BeforeParameterizedClassInvocation
    protected void start() {
        log = new CapturedLog(getClass());
        certificates = TlsCertificates.create();
        redis = EmbeddedSentinel.builder()
                .replicas(1)
                .settings(EmbeddedRedis.builder().tls(certificates).password(OF_SERVERS))
                .sentinelPassword(OF_SENTINELS)
                .start();
        // docs/operations.md documents that these rights suffice.
        redis.sentinels()
                .forEach(each -> each.command(
                        "ACL",
                        "SETUSER",
                        "watcher",
                        "on",
                        ">" + OF_WATCHER,
                        "resetchannels",
                        "&+switch-master",
                        "+sentinel",
                        "+subscribe"));
    }

    /** Ends the servers. */
    @AfterParameterizedClassInvocation
    protected void end() {
        log.close();
        redis.close();
        certificates.close();
        // Everything that was logged while all these tests ran.
        assertThat(log.messages()).isNotEmpty().noneMatch(said -> said.contains("s3cret"));
    }

    private Leasehold connect(String uri) {
        return Leasehold.builder()
                .uri(uri)
                .tls(TlsOptions.trusting(certificates.caPem()))
                .build();
    }

    private static Lease acquire(DistributedLock lock) {
        return await().atMost(LIMIT)
                .ignoreExceptions()
                .until(lock::tryAcquire, found -> found.isPresent())
                .orElseThrow();
    }

    @Test
    void aFailOverIsFollowed() {
        try (Leasehold leasehold = connect(redis.uri())) {
            Lease before = acquire(leasehold.lock("a"));
            redis.failOver();
            Lease after = acquire(leasehold.lock("b"));
            assertThat(after.isHeld()).isTrue();
            assertThat(leasehold.toString() + before + after).doesNotContain("s3cret");
        }
        redis.awaitHealthy();
    }

    @Test
    void theSentinelsMayHaveAUserOfTheirOwn() {
        String uri = redis.uri()
                .replace(
                        "sentinelPassword=s3cret%26sentinels",
                        "sentinelUser=watcher&sentinelPassword=s3cret%23watcher");
        assertThat(uri).contains("watcher");
        try (Leasehold leasehold = connect(uri);
                Lease lease = acquire(leasehold.lock("c"))) {
            assertThat(lease.isHeld()).isTrue();
        }
    }

    @Test
    void aPasswordThatIsWrongOrNotGivenIsToldAndNotShown() {
        String right = redis.uri();
        assertRefused(right.replace("=s3cret%26sentinels", "=s3cretwrong"), "WRONGPASS");
        assertRefused(right.replace("&sentinelPassword=s3cret%26sentinels", ""), "NOAUTH");
        assertRefused(right.replace("s3cret%40servers", "s3cretwrong"), "WRONGPASS");
        // A sentinel with TLS does not answer in plain text, and receives no password in plain text.
        assertRefused(right.replace("rediss-sentinel:", "redis-sentinel:"), "cannot be reached");
    }

    private void assertRefused(String uri, String why) {
        Throwable refusal = catchThrowable(() -> connect(uri).close());
        assertThat(refusal).isInstanceOf(LockUnavailableException.class).hasMessageContaining(why);
        for (Throwable each = refusal; each != null; each = each.getCause()) {
            assertThat(each.toString()).doesNotContain("s3cret");
        }
    }
}
