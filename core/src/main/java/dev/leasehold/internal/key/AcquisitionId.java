package dev.leasehold.internal.key;

import java.security.SecureRandom;
import java.util.Base64;

/** The id of one acquisition: 128 random bits, which cannot be guessed. Never logged in full. */
public record AcquisitionId(String value) {

    private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();
    private static final int BYTES = 16;
    private static final int SHOWN_CHARS = 8;

    /** Creates a new id. */
    public static AcquisitionId next(SecureRandom random) {
        byte[] bytes = new byte[BYTES];
        random.nextBytes(bytes);
        return new AcquisitionId(ENCODER.encodeToString(bytes));
    }

    /** Returns a prefix for messages: enough to distinguish two ids, too little to release a hold. */
    public String shown() {
        return value.substring(0, Math.min(SHOWN_CHARS, value.length()));
    }

    @Override
    public String toString() {
        return shown();
    }
}
