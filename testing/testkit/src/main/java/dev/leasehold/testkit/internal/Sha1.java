package dev.leasehold.testkit.internal;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Computes the names that Redis gives to scripts. Safe for use by any thread. */
final class Sha1 {

    private static final int MOST_KNOWN = 500;
    private static final Map<String, String> KNOWN = new ConcurrentHashMap<>();

    private Sha1() {}

    /** Returns the SHA-1 of a script, cached because a few scripts recur. */
    static String ofScript(String body) {
        String known = KNOWN.get(body);
        if (known == null) {
            if (KNOWN.size() >= MOST_KNOWN) {
                KNOWN.clear();
            }
            known = of(body);
            KNOWN.put(body, known);
        }
        return known;
    }

    static String of(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-1", e);
        }
    }
}
