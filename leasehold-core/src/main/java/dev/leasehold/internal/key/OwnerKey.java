package dev.leasehold.internal.key;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/**
 * The owner of a hold as Redis keeps it: the acquisition id, or {@code n:<name>}, or {@code n#<hash>} for long names, so
 * that the field stays below 64 bytes and the hash compact.
 */
public record OwnerKey(String field, String name, boolean named) {

    /** The field of all who read, and share the lock: neither an id nor a name looks like it. */
    public static final String READERS = "r";

    /** The field of all who hold permits of a semaphore. */
    public static final String PERMITS = "s";

    private static final int MAX_PLAIN_BYTES = 44;

    /** The default: each acquisition is its own owner. */
    public static OwnerKey anonymous(AcquisitionId id) {
        // A client may have a hundred thousand of these: what is shown is made when it is asked for.
        return new OwnerKey(id.value(), id.value(), false);
    }

    /** An owner named by the caller. */
    public static OwnerKey named(String owner) {
        byte[] bytes = Names.check("owner", owner);
        String field = bytes.length <= MAX_PLAIN_BYTES ? "n:" + owner : "n#" + hash(bytes);
        return new OwnerKey(field, owner, true);
    }

    /** The name; of an owner without one the start of its id, which is a secret. */
    @Override
    public String name() {
        return named ? name : new AcquisitionId(field).shown();
    }

    /** Whether a field was made from a named owner. */
    public static boolean isNamed(String field) {
        return field.startsWith("n:") || field.startsWith("n#");
    }

    /** The owner as it can be told from the field: the name, or {@code #hash}, or the start of the id, which is a secret. */
    public static String display(String field) {
        if (field.startsWith("n:")) {
            return field.substring(2);
        }
        return field.startsWith("n#") ? field.substring(1) : new AcquisitionId(field).shown();
    }

    /** For messages: safe to print, and no secret. */
    public String shown() {
        return named ? "'" + Names.escape(name) + "'" : name();
    }

    private static String hash(byte[] bytes) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
            return Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
