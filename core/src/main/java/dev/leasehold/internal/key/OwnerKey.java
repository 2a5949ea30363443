package dev.leasehold.internal.key;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/**
 * The owner of a hold as stored in Redis: the acquisition id, or {@code n:<name>}, or {@code n#<hash>} for long names,
 * so that the field stays below 64 bytes and the hash compact.
 */
public record OwnerKey(String field, String name, boolean named) {

    /** The field of all readers, which share the lock; no id and no name equals it. */
    public static final String READERS = "r";

    /** The field of all holders of a semaphore's permits. */
    public static final String PERMITS = "s";

    private static final int MAX_PLAIN_BYTES = 44;

    /** Returns the default owner: the acquisition itself. */
    public static OwnerKey anonymous(AcquisitionId id) {
        // A client may have a hundred thousand of these, so the displayed name is computed on demand.
        return new OwnerKey(id.value(), id.value(), false);
    }

    /** Returns an owner named by the caller. */
    public static OwnerKey named(String owner) {
        byte[] bytes = Names.check("owner", owner);
        String field = bytes.length <= MAX_PLAIN_BYTES ? "n:" + owner : "n#" + hash(bytes);
        return new OwnerKey(field, owner, true);
    }

    /** Returns the owner of a field as far as the field shows it. */
    public static OwnerKey read(String field) {
        return new OwnerKey(field, display(field), isNamed(field));
    }

    /** Returns the name, or for an anonymous owner the start of its id, which is a secret. */
    @Override
    public String name() {
        return named ? name : new AcquisitionId(field).shown();
    }

    /** Returns whether a field is that of a named owner. */
    public static boolean isNamed(String field) {
        return field.startsWith("n:") || field.startsWith("n#");
    }

    /**
     * Returns the owner as far as the field shows it: the name, or {@code #hash}, or the start of the id, which is a
     * secret.
     */
    public static String display(String field) {
        if (field.startsWith("n:")) {
            return field.substring(2);
        }
        return field.startsWith("n#") ? field.substring(1) : new AcquisitionId(field).shown();
    }

    /** Returns the owner for messages, escaped and without secrets. */
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
