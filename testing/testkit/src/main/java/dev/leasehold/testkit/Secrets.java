package dev.leasehold.testkit;

import java.security.SecureRandom;
import java.util.HexFormat;

/** Random, unguessable text. */
final class Secrets {

    private static final SecureRandom RANDOM = new SecureRandom();

    private static final int PASSWORD_BYTES = 16;

    private Secrets() {}

    /** Returns a random password. */
    static String password() {
        return hex(PASSWORD_BYTES);
    }

    /** Returns random text with two hexadecimal digits a byte. */
    static String hex(int bytes) {
        byte[] value = new byte[bytes];
        RANDOM.nextBytes(value);
        return HexFormat.of().formatHex(value);
    }
}
