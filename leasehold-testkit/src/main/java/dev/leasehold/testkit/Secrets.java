package dev.leasehold.testkit;

import java.security.SecureRandom;
import java.util.HexFormat;

/** Random text that nobody else can know. */
final class Secrets {

    private static final SecureRandom RANDOM = new SecureRandom();

    private Secrets() {}

    /** Two hexadecimal digits a byte. */
    static String hex(int bytes) {
        byte[] value = new byte[bytes];
        RANDOM.nextBytes(value);
        return HexFormat.of().formatHex(value);
    }
}
