package dev.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class TlsIT {

    private static final TlsCertificates CERTIFICATES = TlsCertificates.create();

    @AfterAll
    static void deleteCertificates() {
        CERTIFICATES.close();
    }

    @Test
    void acceptsAClientThatTrustsTheAuthority() throws Exception {
        try (EmbeddedRedis redis = EmbeddedRedis.builder().tls(CERTIFICATES).start()) {
            assertThat(URI.create(redis.uri())).hasScheme("rediss").hasPort(redis.port());
            assertThat(ping(CERTIFICATES.clientContext(), redis)).isEqualTo("+OK\r\n+PONG\r\n");
            assertThat(redis.command("PING")).isEqualTo("PONG");
            redis.restart();
            assertThat(ping(CERTIFICATES.clientContext(), redis)).isEqualTo("+OK\r\n+PONG\r\n");
        }
    }

    @Test
    void isRefusedByAClientThatDoesNotTrustTheAuthority() throws Exception {
        try (EmbeddedRedis redis = EmbeddedRedis.builder().tls(CERTIFICATES).start();
                TlsCertificates others = TlsCertificates.create()) {
            assertThatThrownBy(() -> ping(others.clientContext(), redis)).isInstanceOf(SSLHandshakeException.class);
            assertThatThrownBy(() -> ping(SSLContext.getDefault(), redis)).isInstanceOf(SSLHandshakeException.class);
        }
    }

    @Test
    void doesNotAnswerInPlainTextOnTheTlsPort() throws IOException {
        try (EmbeddedRedis redis = EmbeddedRedis.builder().tls(CERTIFICATES).start();
                RespClient client = new RespClient("127.0.0.1", redis.port(), TestLimits.ANSWER)) {
            assertThatThrownBy(() -> client.command("PING")).isInstanceOf(IOException.class);
        }
    }

    @Test
    void presentsAnExpiredCertificateIfConfigured() {
        try (EmbeddedRedis redis = EmbeddedRedis.builder()
                .tls(CERTIFICATES, CERTIFICATES.expired())
                .start()) {
            assertThatThrownBy(() -> ping(CERTIFICATES.clientContext(), redis))
                    .isInstanceOf(SSLHandshakeException.class)
                    .hasStackTraceContaining("CertificateExpiredException");
        }
    }

    @Test
    void presentsACertificateForAnotherHostIfConfigured() {
        try (EmbeddedRedis redis = EmbeddedRedis.builder()
                .tls(CERTIFICATES, CERTIFICATES.wrongHost())
                .start()) {
            assertThatThrownBy(() -> ping(CERTIFICATES.clientContext(), redis))
                    .isInstanceOf(SSLHandshakeException.class)
                    .hasStackTraceContaining("No subject alternative names matching IP address 127.0.0.1");
        }
    }

    @Test
    void requiresAClientCertificateIfConfigured() throws Exception {
        try (EmbeddedRedis redis = EmbeddedRedis.builder()
                .tls(CERTIFICATES)
                .requireClientCertificate()
                .start()) {
            assertThatThrownBy(() -> ping(CERTIFICATES.clientContext(), redis)).isInstanceOf(IOException.class);
            assertThat(ping(clientContextWithCertificate(), redis)).isEqualTo("+OK\r\n+PONG\r\n");
        }
    }

    private static String ping(SSLContext context, EmbeddedRedis redis) throws IOException {
        try (Socket socket = context.getSocketFactory().createSocket(redis.host(), redis.port())) {
            SSLSocket tls = (SSLSocket) socket;
            SSLParameters parameters = tls.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            tls.setSSLParameters(parameters);
            tls.setSoTimeout(Math.toIntExact(TestLimits.ANSWER.toMillis()));
            tls.startHandshake();
            String commands = "AUTH " + redis.password() + "\r\nPING\r\n";
            tls.getOutputStream().write(commands.getBytes(StandardCharsets.US_ASCII));
            return new String(tls.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);
        }
    }

    private static SSLContext clientContextWithCertificate() throws IOException, GeneralSecurityException {
        char[] password = TlsCertificates.STORE_PASSWORD.toCharArray();
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(load(Files.newInputStream(CERTIFICATES.client().keyStore()), password), password);
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(load(Files.newInputStream(CERTIFICATES.trustStore()), password));
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }

    private static KeyStore load(InputStream content, char[] password) throws IOException, GeneralSecurityException {
        try (content) {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(content, password);
            return store;
        }
    }
}
