package dev.leasehold.internal.acquire;

import dev.leasehold.internal.key.AcquisitionId;
import dev.leasehold.internal.key.KeyPrefix;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.Names;
import dev.leasehold.internal.key.OwnerKey;
import dev.leasehold.internal.lease.LeaseRecord;
import dev.leasehold.internal.store.ServerTime;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Objects;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * The data of an exported lease, which a client needs to resume it, as one string. The string contains the id of the hold, so it
 * is a secret: it gives its owner the lock.
 *
 * @param hold the id of the hold in Redis
 * @param owner the named owner; null if the lease is its own owner
 * @param copiesUntil the time until which a second copy of its acquire could be granted
 * @param token its fencing token, below that of the resumed lease
 */
public record ExportedLease(
        LockKey key, AcquisitionId hold, @Nullable OwnerKey owner, ServerTime copiesUntil, long token) {

    /** The prefix of the string: its type and its version. */
    private static final String HEAD = "lh1.";

    /** Neither a name nor an id nor a key contains it. */
    private static final String SEPARATOR = "\0";

    private static final int PARTS = 5;

    public static ExportedLease of(LeaseRecord record) {
        return new ExportedLease(
                record.key(),
                record.hold(),
                record.ofNamedOwner() ? record.owner() : null,
                record.sent().copiesUntil(),
                record.token());
    }

    /** Encodes the lease as a string. */
    public String encode() {
        String text = String.join(
                SEPARATOR,
                hold.value(),
                Long.toString(copiesUntil.micros()),
                Long.toString(token),
                key.key(),
                owner == null ? "" : owner.name());
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        ByteBuffer all = ByteBuffer.allocate(Integer.BYTES + bytes.length);
        all.putInt(sum(bytes, 0)).put(bytes);
        return HEAD + Base64.getUrlEncoder().withoutPadding().encodeToString(all.array());
    }

    /**
     * Decodes a string.
     *
     * @throws IllegalArgumentException if the string is not an exported lease, was cut or changed, or belongs to a lock under
     *     another prefix. The message does not quote the string
     */
    public static ExportedLease decode(KeyPrefix prefix, String string) {
        byte[] bytes = bytes(Objects.requireNonNull(string, "exported"));
        ByteBuffer all = ByteBuffer.wrap(bytes);
        if (bytes.length <= Integer.BYTES || all.getInt() != sum(bytes, Integer.BYTES)) {
            throw changed();
        }
        String[] parts = StandardCharsets.UTF_8.decode(all).toString().split(SEPARATOR, -1);
        if (parts.length != PARTS) {
            throw changed();
        }
        LockKey key = LockKey.parse(prefix, parts[3]);
        if (key == null) {
            throw new IllegalArgumentException(
                    "the lease was exported by a client with another key prefix: its key is '"
                            + Names.escape(parts[3]) + "', and this client's prefix is '" + prefix.value()
                            + "'. Resume it with a client of the same prefix");
        }
        try {
            return new ExportedLease(
                    key,
                    new AcquisitionId(parts[0]),
                    parts[4].isEmpty() ? null : OwnerKey.named(parts[4]),
                    new ServerTime(Long.parseLong(parts[1])),
                    Long.parseLong(parts[2]));
        } catch (NumberFormatException e) {
            throw changed();
        }
    }

    private static byte[] bytes(String string) {
        if (!string.startsWith(HEAD)) {
            throw new IllegalArgumentException(
                    "the argument of resume is not an exported lease: it does not begin with '" + HEAD
                            + "'. Pass the string that export() of a lease returned");
        }
        try {
            return Base64.getUrlDecoder().decode(string.substring(HEAD.length()));
        } catch (IllegalArgumentException e) {
            // The cause is left out, because it quotes characters of the secret.
            throw changed();
        }
    }

    private static IllegalArgumentException changed() {
        return new IllegalArgumentException("the exported lease was cut or changed: its checksum does not match."
                + " Pass the string as export() returned it");
    }

    /** A checksum against accidents only: a process that knows the id can forge any string. */
    private static int sum(byte[] bytes, int from) {
        CRC32 sum = new CRC32();
        sum.update(bytes, from, bytes.length - from);
        return (int) sum.getValue();
    }

    /** Describes the lease without the secret. */
    @Override
    public String toString() {
        return "exported lease of " + key.inWords();
    }
}
