package dev.leasehold.testkit;

import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Signs certificates with its own key (EC P-256), using only the JDK's public API. */
final class CertificateAuthority {

    private static final String NAME = "Leasehold test authority";
    private static final byte[] ECDSA_WITH_SHA256 = Der.sequence(Der.oid("1.2.840.10045.4.3.2"));
    private static final SecureRandom RANDOM = new SecureRandom();

    private final KeyPair keys = newKeys();
    private final X509Certificate certificate;

    /** A key and the certificate for it. */
    record Signed(PrivateKey key, X509Certificate certificate) {}

    CertificateAuthority(Instant from, Instant until) {
        byte[] mayOnlySign = extension("2.5.29.15", true, Der.bits(1, (byte) 0x06));
        byte[] isAuthority = extension("2.5.29.19", true, Der.sequence(Der.bool(true)));
        this.certificate = sign(NAME, keys, from, until, List.of(isAuthority, mayOnlySign));
    }

    X509Certificate certificate() {
        return certificate;
    }

    /** A certificate for a server or client, valid for these host names and addresses (four or sixteen bytes). */
    Signed issue(String name, Instant from, Instant until, List<String> hosts, List<byte[]> addresses) {
        List<byte[]> alternatives = new ArrayList<>();
        hosts.forEach(host -> alternatives.add(Der.tagged(0x82, host.getBytes(StandardCharsets.US_ASCII))));
        addresses.forEach(address -> alternatives.add(Der.tagged(0x87, address)));
        byte[] subjectAlternatives = extension("2.5.29.17", false, Der.sequence(alternatives.toArray(byte[][]::new)));
        byte[] purposes =
                extension("2.5.29.37", false, Der.sequence(Der.oid("1.3.6.1.5.5.7.3.1"), Der.oid("1.3.6.1.5.5.7.3.2")));
        KeyPair subjectKeys = newKeys();
        List<byte[]> extensions = alternatives.isEmpty() ? List.of(purposes) : List.of(subjectAlternatives, purposes);
        return new Signed(subjectKeys.getPrivate(), sign(name, subjectKeys, from, until, extensions));
    }

    private X509Certificate sign(
            String subject, KeyPair subjectKeys, Instant from, Instant until, List<byte[]> extensions) {
        byte[] content = Der.sequence(
                Der.tagged(0xa0, Der.integer(BigInteger.TWO)),
                Der.integer(new BigInteger(120, RANDOM).add(BigInteger.ONE)),
                ECDSA_WITH_SHA256,
                distinguishedName(NAME),
                Der.sequence(Der.time(from), Der.time(until)),
                distinguishedName(subject),
                subjectKeys.getPublic().getEncoded(),
                Der.tagged(0xa3, Der.sequence(extensions.toArray(byte[][]::new))));
        try {
            Signature signature = Signature.getInstance("SHA256withECDSA");
            signature.initSign(keys.getPrivate());
            signature.update(content);
            byte[] signed = Der.sequence(content, ECDSA_WITH_SHA256, Der.bits(0, signature.sign()));
            return (X509Certificate)
                    CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(signed));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("This JDK cannot sign a certificate with an elliptic curve", e);
        }
    }

    private static byte[] distinguishedName(String commonName) {
        return Der.sequence(Der.set(Der.sequence(Der.oid("2.5.4.3"), Der.utf8(commonName))));
    }

    private static byte[] extension(String oid, boolean critical, byte[] value) {
        byte[] flag = critical ? Der.bool(true) : new byte[0];
        return Der.sequence(Der.oid(oid), flag, Der.octets(value));
    }

    private static KeyPair newKeys() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"), RANDOM);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("This JDK cannot make a key on the curve secp256r1", e);
        }
    }
}
