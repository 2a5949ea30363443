package dev.leasehold.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.leasehold.Lease;
import dev.leasehold.Leasehold;
import dev.leasehold.LeaseholdBuilder;
import dev.leasehold.LockOptions;
import dev.leasehold.LockUnavailableException;
import dev.leasehold.Renewal;
import dev.leasehold.diagnostics.Diagnostics;
import dev.leasehold.diagnostics.Finding;
import dev.leasehold.event.LossEvent;
import dev.leasehold.testkit.EmbeddedCluster;
import dev.leasehold.testkit.EmbeddedQuorum;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.EmbeddedSentinel;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;

/**
 * The contract of adapters that open {@code redis} URIs, about credentials that rotate: each new connection asks the supplier, no
 * lease is lost by a rotation, by connections that the server ends, or by a supplier that fails for a while, and no secret is
 * in a log or a message.
 */
@On(value = Topology.STANDALONE, withCredentials = true)
class CredentialsContract extends AnyContract {

    private static final Duration LIMIT = Duration.ofSeconds(20);

    /** Renewed every second, with much time left. */
    private static final LockOptions LEASE = LockOptions.builder()
            .leaseTime(Duration.ofSeconds(10))
            .renewal(Renewal.afterRatio(0.1))
            .build();

    private static final Duration NOT_RENEWED_YET = Duration.ofMillis(9400);

    private static EmbeddedRedis redis;

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private final Queue<LossEvent> losses = new ConcurrentLinkedQueue<>();
    private final Queue<String> messages = new ConcurrentLinkedQueue<>();
    private CapturedLog log;

    @BeforeParameterizedClassInvocation
    static void start() {
        redis = EmbeddedRedis.start();
    }

    @AfterParameterizedClassInvocation
    static void end() {
        redis.close();
    }

    @BeforeEach
    void captureLog() {
        log = new CapturedLog(getClass());
    }

    @AfterEach
    void closeAllAndFindNoSecret() throws Exception {
        while (!opened.isEmpty()) {
            opened.pop().close();
        }
        log.close();
        messages.addAll(log.messages());
        assertThat(messages).noneMatch(text -> text.contains(RotatingCredentials.SECRET));
    }

    /** Returns the URI without a password, as the supplier has it. */
    private static String uri(EmbeddedRedis server) {
        return "redis://" + server.host() + ":" + server.port();
    }

    private Leasehold client(LeaseholdBuilder builder) {
        Leasehold client = builder.build();
        opened.push(client);
        return client;
    }

    private Leasehold client(RotatingCredentials credentials) {
        return client(Leasehold.builder()
                .uri(uri(redis))
                .connectTimeout(Duration.ofSeconds(2))
                .credentials(credentials));
    }

    /**
     * Registers a resource that is closed after the test, the last one first.
     *
     * @param resource the resource
     * @return the same
     * @param <T> its type
     */
    protected final <T extends AutoCloseable> T closing(T resource) {
        opened.push(resource);
        return resource;
    }

    private Lease acquire(Leasehold client) throws InterruptedException {
        Lease lease = client.lock("rotation").with(LEASE).acquire();
        lease.onLost(losses::add);
        return lease;
    }

    /** Waits until the lease was renewed. */
    private static void awaitRenewal(Lease lease) {
        ContractBase.await().until(() -> lease.remaining().compareTo(NOT_RENEWED_YET) < 0 && lease.isHeld());
        ContractBase.await().until(() -> lease.remaining().compareTo(NOT_RENEWED_YET) > 0);
    }

    /** Rotates under a running client, then ends its connections. */
    private void losesNoLeaseByARotation(Leasehold client, RotatingCredentials credentials) throws Exception {
        Lease lease = acquire(client);
        awaitRenewal(lease);
        int asked = credentials.asked();
        credentials.rotate();
        awaitRenewal(lease);
        assertThat(credentials.asked()).as("connections that are open stay").isEqualTo(asked);
        credentials.cutConnections();
        awaitRenewal(lease);
        assertThat(credentials.asked()).as("new connections ask").isGreaterThan(asked);
        client.lock("other").acquire(LIMIT).close();
        lease.ensureHeld();
        assertThat(losses).isEmpty();
        lease.close();
    }

    /** Returns the message of an acquisition that needs a new connection, once the message contains a text. */
    private void awaitRefusal(Leasehold client, String text) {
        ContractBase.await().untilAsserted(() -> {
            LockUnavailableException refusal = catchThrowableOfType(
                    LockUnavailableException.class,
                    () -> client.lock("other").tryAcquire().ifPresent(Lease::close));
            for (Throwable e = refusal; e != null; e = e.getCause()) {
                messages.add(e.toString());
            }
            assertThat(refusal).hasMessageContaining(text);
        });
    }

    @Test
    void aRotationLosesNoLeaseAndNewConnectionsUseTheNewPassword() throws Exception {
        RotatingCredentials credentials = RotatingCredentials.ofUser(List.of(redis));
        losesNoLeaseByARotation(client(credentials), credentials);
    }

    @Test
    void theSameOfTheDefaultUserWhosePasswordIsRequirepass() throws Exception {
        EmbeddedRedis server = closing(EmbeddedRedis.start());
        RotatingCredentials credentials = RotatingCredentials.ofDefaultUser(server);
        losesNoLeaseByARotation(client(Leasehold.builder().uri(uri(server)).credentials(credentials)), credentials);
    }

    @Test
    void theSameOverAClientOfTheApplicationWithAProviderOfItsOwn() throws Exception {
        RotatingCredentials credentials = RotatingCredentials.ofUser(List.of(redis));
        losesNoLeaseByARotation(client(Leasehold.builder().transport(way().lend(redis, credentials))), credentials);
    }

    @Test
    void theSameBySentinelsWhichKeepThePasswordOfTheUri() throws Exception {
        EmbeddedSentinel group = closing(EmbeddedSentinel.builder()
                .settings(EmbeddedRedis.builder().withoutPassword())
                .sentinelPassword("of-sentinels")
                .start());
        RotatingCredentials credentials = RotatingCredentials.ofUser(group.nodes());
        Leasehold client = client(Leasehold.builder().uri(group.uri()).credentials(credentials));
        losesNoLeaseByARotation(client, credentials);
        assertThat(Diagnostics.of(client).findings())
                .extracting(Finding::text)
                .noneMatch(text -> text.contains("No answer"));
    }

    @Test
    void theSameOnAClusterWhoseNodesHaveTheSameUsers() throws Exception {
        EmbeddedCluster cluster = closing(EmbeddedCluster.start());
        RotatingCredentials credentials = RotatingCredentials.ofUser(cluster.nodes());
        losesNoLeaseByARotation(
                client(Leasehold.builder().uri(uri(cluster.nodes().get(0))).credentials(credentials)), credentials);
    }

    @Test
    void theSameOfAQuorum() throws Exception {
        EmbeddedQuorum quorum = closing(EmbeddedQuorum.start());
        RotatingCredentials credentials = RotatingCredentials.ofUser(quorum.nodes());
        LeaseholdBuilder builder = Leasehold.builder()
                .quorum(quorum.nodes().stream().map(CredentialsContract::uri).toArray(String[]::new))
                .credentials(credentials);
        builder.build().close();
        quorum.letCount();
        losesNoLeaseByARotation(client(builder), credentials);
    }

    @Test
    void aSupplierThatThrowsLosesNoLeaseAndIsNamedWithoutItsMessage() throws Exception {
        RotatingCredentials credentials = RotatingCredentials.ofUser(List.of(redis));
        Leasehold client = client(credentials);
        Lease lease = acquire(client);
        awaitRenewal(lease);
        credentials.fail(true);
        awaitRenewal(lease);
        credentials.cutConnections();
        awaitRefusal(
                client, "credentials supplier " + RotatingCredentials.class.getName() + " threw IllegalStateException");
        credentials.fail(false);
        awaitRenewal(lease);
        client.lock("other").acquire(LIMIT).close();
        assertThat(losses).isEmpty();
        assertThat(log.messages())
                .filteredOn(text -> text.startsWith("The credentials supplier "))
                .hasSize(2)
                .last()
                .asString()
                .contains("answers again");
    }

    @Test
    void aSupplierThatBlocksLosesNoLeaseAndCostsNoCallerMoreThanItsTime() throws Exception {
        RotatingCredentials credentials = RotatingCredentials.ofUser(List.of(redis));
        Leasehold client = client(credentials);
        Lease lease = acquire(client);
        awaitRenewal(lease);
        CountDownLatch gate = credentials.block();
        awaitRenewal(lease);
        credentials.cutConnections();
        CompletableFuture<Void> caller = CompletableFuture.runAsync(() -> awaitRefusal(
                client, "credentials supplier " + RotatingCredentials.class.getName() + " has not returned within"));
        try {
            caller.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
            assertThat(credentials.mostUnderWay()).isEqualTo(1);
        } finally {
            gate.countDown();
        }
        awaitRenewal(lease);
        client.lock("other").acquire(LIMIT).close();
        assertThat(losses).isEmpty();
        assertThat(credentials.mostUnderWay()).isEqualTo(1);
    }

    @Test
    void aPasswordThatTheServerRefusesIsAskedForAgainAndLosesNoLease() throws Exception {
        RotatingCredentials credentials = RotatingCredentials.ofUser(List.of(redis));
        Leasehold client = client(credentials);
        Lease lease = acquire(client);
        awaitRenewal(lease);
        String next = credentials.rotateAtServers();
        credentials.cutConnections();
        awaitRefusal(client, "WRONGPASS");
        credentials.supply(next);
        awaitRenewal(lease);
        client.lock("other").acquire(LIMIT).close();
        assertThat(losses).isEmpty();
    }

    @Test
    void connectingWithCredentialsThatTheServerRefusesPointsAtTheSupplier() {
        RotatingCredentials credentials = RotatingCredentials.ofUser(List.of(redis));
        credentials.supply(RotatingCredentials.SECRET + "-of-another-server");
        LockUnavailableException refusal = catchThrowableOfType(
                LockUnavailableException.class, () -> client(credentials).close());
        assertThat(refusal).hasMessageContaining("WRONGPASS").hasMessageContaining("credentials supplier");
        messages.add(refusal.toString());
    }
}
