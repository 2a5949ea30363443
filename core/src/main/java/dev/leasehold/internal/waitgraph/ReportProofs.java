package dev.leasehold.internal.waitgraph;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Proofs at the end of a report that its author knows the ids of holds, which are in Redis and in no message: for each hold a line with
 * the hash of its id and with the report authenticated by the id (HMAC-SHA-256). The right to publish alone suffices for a report, but
 * not for a proof. As a report begins with the number of its question, a proof is of no use for another question.
 *
 * @param report what is authenticated; it identifies the report
 * @param byHold the codes by the hash of the id of each hold
 */
record ReportProofs(String report, Map<String, String> byHold) {

    static final ReportProofs NONE = new ReportProofs("", Map.of());

    private static final String ALGORITHM = "HmacSHA256";
    private static final String LINE = "\np ";

    /** Adds the proofs to a report. */
    static String append(String report, Collection<String> holds) {
        StringBuilder proved = new StringBuilder(report);
        for (String hold : holds) {
            proved.append(LINE).append(LeaseEntry.nameOf(hold)).append(' ').append(code(report, hold));
        }
        return proved.toString();
    }

    /** Reads the proofs of a report as far as they can be read. */
    static ReportProofs read(String text) {
        int end = text.indexOf(LINE);
        if (end < 0) {
            return new ReportProofs(text, Map.of());
        }
        Map<String, String> byHold = new HashMap<>();
        for (String line : text.substring(end + LINE.length()).split(LINE, -1)) {
            int space = line.indexOf(' ');
            if (space > 0) {
                byHold.put(line.substring(0, space), line.substring(space + 1));
            }
        }
        return new ReportProofs(text.substring(0, end), byHold);
    }

    /** Returns whether the author of the report knows the id of this hold. */
    boolean prove(String hold) {
        String given = byHold.get(LeaseEntry.nameOf(hold));
        return given != null
                && MessageDigest.isEqual(
                        given.getBytes(StandardCharsets.UTF_8),
                        code(report, hold).getBytes(StandardCharsets.UTF_8));
    }

    private static String code(String report, String hold) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(hold.getBytes(StandardCharsets.UTF_8), ALGORITHM));
            return Base64.getUrlEncoder()
                    .withoutPadding()
                    .encodeToString(mac.doFinal(report.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has " + ALGORITHM, e);
        }
    }
}
