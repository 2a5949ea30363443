package dev.leasehold.tck;

import static dev.leasehold.tck.TransportCalls.answer;
import static dev.leasehold.tck.TransportCalls.count;
import static dev.leasehold.tck.TransportCalls.failure;
import static dev.leasehold.tck.TransportCalls.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.leasehold.TlsOptions;
import dev.leasehold.spi.ConnectionSettings;
import dev.leasehold.spi.RedisTransport;
import dev.leasehold.spi.TransportException;
import dev.leasehold.testkit.EmbeddedRedis;
import dev.leasehold.testkit.TlsCertificates;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;

/** The contract of adapters that open {@code rediss} URIs: which certificates they trust. */
@On(value = Topology.STANDALONE, withConnectors = true)
class TlsContract extends AnyContract {

    private static TlsCertificates certificates;
    private static TlsCertificates strangers;
    private static EmbeddedRedis redis;

    @BeforeParameterizedClassInvocation
    static void start() {
        certificates = TlsCertificates.create();
        strangers = TlsCertificates.create();
        redis = EmbeddedRedis.builder().tls(certificates).password("s3cret").start();
    }

    @AfterParameterizedClassInvocation
    static void end() {
        redis.close();
        certificates.close();
        strangers.close();
    }

    private static TlsOptions trusted() {
        return TlsOptions.trusting(certificates.caPem());
    }

    @Test
    void aCertificateOfATrustedAuthorityForTheHostIsAccepted() {
        try (RedisTransport transport = way().open(settings(redis.uri(), trusted()))) {
            assertThat(answer(transport.eval(count("a")))).isNotEmpty();
            transport.evalBatch(List.of(count("a"))).forEach(TransportCalls::answer);
            answer(transport.subscribe("c", message -> {}));
        }
    }

    @Test
    void aCertificateForAnotherHostIsRefused() {
        try (EmbeddedRedis elsewhere = EmbeddedRedis.builder()
                .tls(certificates, certificates.wrongHost())
                .start()) {
            assertThat(refusal(settings(elsewhere.uri(), trusted()))).hasMessageContaining("subject alternative");
        }
    }

    @Test
    void anExpiredCertificateIsRefused() {
        try (EmbeddedRedis expired = EmbeddedRedis.builder()
                .tls(certificates, certificates.expired())
                .start()) {
            assertThat(refusal(settings(expired.uri(), trusted()))).hasMessageContaining("NotAfter");
        }
    }

    @Test
    void aCertificateOfAnUnknownAuthorityIsRefused() {
        assertThat(refusal(settings(redis.uri(), TlsOptions.trusting(strangers.caPem()))))
                .hasRootCauseInstanceOf(GeneralSecurityException.class);
        assertThat(refusal(settings(redis.uri()))).hasMessageContaining("certification path");
    }

    @Test
    void aServerThatSpeaksNoTlsGetsNoPasswordInPlainText() {
        try (EmbeddedRedis plain = EmbeddedRedis.start()) {
            String uri = "rediss://:s3cret@127.0.0.1:" + plain.port();
            assertThat(refusal(settings(uri, Duration.ofSeconds(1), trusted()))).hasMessageContaining("speak TLS");
            assertThat(plain.commandCounts()).doesNotContainKeys("hello", "auth", "ping");
        }
    }

    @Test
    void aServerThatSpeaksTlsOnlyCannotBeReachedWithout() {
        refusal(settings(redis.uri().replace("rediss:", "redis:"), trusted()));
    }

    @Test
    void aServerMayAskForACertificateOfTheClient() {
        try (EmbeddedRedis careful = EmbeddedRedis.builder()
                .tls(certificates)
                .requireClientCertificate()
                .start()) {
            refusal(settings(careful.uri(), trusted()));
            TlsOptions shown = new TlsOptions(
                    certificates.caPem(),
                    certificates.client().certificatePem(),
                    certificates.client().keyPem());
            try (RedisTransport transport = way().open(settings(careful.uri(), shown))) {
                assertThat(answer(transport.eval(count("a")))).containsExactly("1");
            }
        }
    }

    @Test
    void filesAreReadAgainForEachConnection(@TempDir Path directory) throws Exception {
        Path pem = Files.copy(certificates.caPem(), directory.resolve("ca.pem"));
        try (RedisTransport transport = way().open(settings(redis.uri(), TlsOptions.trusting(pem)))) {
            answer(transport.eval(count("a")));
            Files.copy(strangers.caPem(), pem, StandardCopyOption.REPLACE_EXISTING);
            assertThat(failure(transport.subscribe("c", message -> {}), TransportException.class))
                    .hasRootCauseInstanceOf(GeneralSecurityException.class);
        }
    }

    /** Returns the message of a failed connection, which never contains the password. */
    private TransportException refusal(ConnectionSettings settings) {
        TransportException refusal = catchThrowableOfType(
                TransportException.class, () -> way().open(settings).close());
        assertThat(refusal).isNotNull();
        assertThat(refusal.maybeExecuted()).isFalse();
        for (Throwable cause = refusal; cause != null; cause = cause.getCause()) {
            assertThat(cause.toString()).doesNotContain("s3cret");
        }
        return refusal;
    }
}
