package dev.leasehold.internal.key;

import java.security.SecureRandom;
import java.util.Base64;

/** Names one acquisition: 128 random bits, which nobody can guess. Never logged in full. */
public record AcquisitionId(String value) {

    private static final int BYTES = 16;
    private static final int SHOWN = 8;

    /** A new id. */
    public static AcquisitionId next(SecureRandom random) {
        byte[] bytes = new byte[BYTES];
        random.nextBytes(bytes);
        return new AcquisitionId(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
    }

    /** For messages: enough to tell two apart, too little to release with. */
    public String shown() {
        return value.substring(0, Math.min(SHOWN, value.length()));
    }

    @Override
    public String toString() {
        return shown();
    }
}
