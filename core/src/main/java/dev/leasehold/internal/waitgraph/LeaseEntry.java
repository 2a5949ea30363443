package dev.leasehold.internal.waitgraph;

import dev.leasehold.inspect.WaiterInfo;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.LockKind;
import dev.leasehold.internal.key.Names;
import dev.leasehold.internal.key.PermitKey;
import dev.leasehold.internal.key.PlainKey;
import dev.leasehold.internal.key.RedissonKey;
import dev.leasehold.internal.lease.LeaseRecord;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A lease of a process that waits for its lock or has it, as one line of a report: the words that {@link #line} joins, each encoded
 * as the name of a lock is.
 *
 * @param waits whether it waits for the lock
 * @param lease a hash of the id of its acquisition, which is a secret
 * @param hold a hash of the id of its hold in Redis
 * @param key the key of the lock
 * @param kind the kind of lock: {@code STANDARD} also for readers and permits, whose key is the same
 * @param wants what it waits for, or has
 * @param sinceMillis since when, by the clock of its process
 * @param threadId the thread that waits or holds; 0 if there is none
 * @param thread the name of the thread, empty if there is none
 * @param owner the named owner, empty if there is none
 */
record LeaseEntry(
        boolean waits,
        String lease,
        String hold,
        String key,
        LockKind kind,
        WaiterInfo.Wants wants,
        long sinceMillis,
        long threadId,
        String thread,
        String owner) {

    private static final String WAITS = "w";
    private static final String HOLDS = "h";
    private static final int WORDS = 10;
    private static final int BYTES_OF_NAME = 8;

    static LeaseEntry of(LeaseRecord record, boolean waits, long sinceMillis) {
        Thread thread = record.thread();
        return new LeaseEntry(
                waits,
                nameOf(record.id().value()),
                nameOf(record.hold().value()),
                record.key().key(),
                record.key().kind().isForeign() ? record.key().kind() : LockKind.STANDARD,
                wants(record.key()),
                sinceMillis,
                thread == null ? 0 : thread.getId(),
                thread == null ? "" : thread.getName(),
                record.ofNamedOwner() ? record.owner().name() : "");
    }

    private static WaiterInfo.Wants wants(LockKey key) {
        return switch (key.kind()) {
            case READ -> WaiterInfo.Wants.READ;
            case PERMITS -> WaiterInfo.Wants.PERMITS;
            case STANDARD, PLAIN, REDISSON, REDISSON_FENCED, QUORUM -> WaiterInfo.Wants.LOCK;
        };
    }

    /** The key of the lock, to inspect it. */
    LockKey lockKey() {
        return switch (kind) {
            case PLAIN -> PlainKey.of(key);
            case REDISSON, REDISSON_FENCED -> RedissonKey.of(key, kind.hasTokens());
            default -> wants == WaiterInfo.Wants.PERMITS ? PermitKey.of(new LockKey(key)) : new LockKey(key);
        };
    }

    String line() {
        return String.join(
                " ",
                waits ? WAITS : HOLDS,
                encoded(lease),
                encoded(hold),
                encoded(key),
                kind.name(),
                wants.name(),
                Long.toString(sinceMillis),
                Long.toString(threadId),
                encoded(thread),
                encoded(owner));
    }

    /** Reads a line; null if it is something else. */
    @Nullable
    static LeaseEntry read(String line) {
        List<String> words = List.of(line.split(" ", -1));
        if (words.size() != WORDS
                || !(words.get(0).equals(WAITS) || words.get(0).equals(HOLDS))) {
            return null;
        }
        try {
            LeaseEntry entry = new LeaseEntry(
                    words.get(0).equals(WAITS),
                    Names.percentDecode(words.get(1)),
                    Names.percentDecode(words.get(2)),
                    Names.percentDecode(words.get(3)),
                    LockKind.valueOf(words.get(4)),
                    WaiterInfo.Wants.valueOf(words.get(5)),
                    Long.parseLong(words.get(6)),
                    Long.parseLong(words.get(7)),
                    Names.percentDecode(words.get(8)),
                    Names.percentDecode(words.get(9)));
            return entry.lockKey().name().isEmpty() ? null : entry;
        } catch (IllegalArgumentException | IndexOutOfBoundsException malformed) {
            // Anybody with the right to publish may have sent it.
            return null;
        }
    }

    /** Names an acquisition by a hash of its id. */
    static String nameOf(String id) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(id.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, BYTES_OF_NAME);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    static String encoded(String text) {
        return Names.percentEncode(text.getBytes(StandardCharsets.UTF_8));
    }
}
