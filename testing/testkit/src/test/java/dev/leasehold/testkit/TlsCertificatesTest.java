package dev.leasehold.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class TlsCertificatesTest {

    @Test
    void theAuthoritySignedWhatIsIssued() throws Exception {
        try (TlsCertificates certificates = TlsCertificates.create()) {
            X509Certificate authority = read(certificates.caPem());
            authority.verify(authority.getPublicKey());
            assertThat(authority.getBasicConstraints()).isNotNegative();
            for (TlsCertificates.Identity identity : new TlsCertificates.Identity[] {
                certificates.server(), certificates.client(), certificates.expired(), certificates.wrongHost()
            }) {
                X509Certificate issued = read(identity.certificatePem());
                issued.verify(authority.getPublicKey());
                assertThat(issued.getBasicConstraints()).isNegative();
                assertThat(belongTogether(readKey(identity.keyPem()), issued)).isTrue();
            }
        }
    }

    @Test
    void onlyTheExpiredOneIs() throws Exception {
        try (TlsCertificates certificates = TlsCertificates.create()) {
            read(certificates.server().certificatePem()).checkValidity();
            read(certificates.client().certificatePem()).checkValidity();
            read(certificates.wrongHost().certificatePem()).checkValidity();
            assertThatThrownBy(
                            () -> read(certificates.expired().certificatePem()).checkValidity())
                    .isInstanceOf(CertificateExpiredException.class);
        }
    }

    @Test
    void theFilesGoWithIt() {
        TlsCertificates certificates = TlsCertificates.create();
        assertThat(certificates.trustStore()).exists();
        certificates.close();
        certificates.close();
        assertThat(certificates.caPem().getParent()).doesNotExist();
    }

    @Test
    void derIsWrittenAsTheStandardShowsIt() {
        assertThat(hex(Der.oid("1.2.840.113549"))).isEqualTo("06062a864886f70d");
        assertThat(hex(Der.oid("2.5.29.19"))).isEqualTo("0603551d13");
        assertThat(hex(Der.time(Instant.parse("2049-12-31T23:59:59Z")))).isEqualTo("170d3439313233313233353935395a");
        assertThat(hex(Der.time(Instant.parse("2050-01-01T00:00:00Z"))))
                .isEqualTo("180f32303530303130313030303030305a");
        assertThat(hex(Der.octets(new byte[127]))).startsWith("047f00");
        assertThat(hex(Der.octets(new byte[128]))).startsWith("04818000");
        assertThat(hex(Der.octets(new byte[256]))).startsWith("0482010000");
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    private static boolean belongTogether(PrivateKey key, X509Certificate certificate) throws Exception {
        Signature signature = Signature.getInstance("SHA256withECDSA");
        signature.initSign(key);
        signature.update((byte) 7);
        byte[] signed = signature.sign();
        signature.initVerify(certificate);
        signature.update((byte) 7);
        return signature.verify(signed);
    }

    private static X509Certificate read(Path pem) throws Exception {
        try (InputStream content = Files.newInputStream(pem)) {
            return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(content);
        }
    }

    private static PrivateKey readKey(Path pem) throws Exception {
        String body = Files.readString(pem).replaceAll("-----[A-Z ]+-----", "").replaceAll("\\s", "");
        return KeyFactory.getInstance("EC")
                .generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(body)));
    }
}
