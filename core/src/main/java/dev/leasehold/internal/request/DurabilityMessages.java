package dev.leasehold.internal.request;

import dev.leasehold.Durability;
import dev.leasehold.TooFewReplicasException;
import dev.leasehold.internal.key.LockKey;
import dev.leasehold.internal.key.Names;

/**
 * The exceptions of locks that replicas or disks must acknowledge.
 */
public final class DurabilityMessages {

    private DurabilityMessages() {}

    /** Returns the option that a caller has set. */
    static String option(Durability durability) {
        return (durability.onDisk() ? "onDisk(" : "replicas(") + durability.replicas() + ", " + durability.within()
                + ")";
    }

    public static IllegalArgumentException cannotWait(Durability durability) {
        String what = durability.onDisk() ? "disks" : "replicas";
        return new IllegalArgumentException(option(durability)
                + " is refused: the adapter to the Redis client cannot wait for " + what
                + " on a dedicated connection. Use an adapter that can, such as leasehold-lettuce, or leave "
                + (durability.onDisk() ? "onDisk" : what) + " out");
    }

    public static IllegalArgumentException noDisks(Durability durability, String version) {
        return new IllegalArgumentException(
                option(durability) + " is refused: the server has no WAITAOF, which Redis and"
                        + " Valkey have from version 7.2 on; its version is "
                        + (version.isEmpty() ? "unknown" : Names.escape(version))
                        + ". Use a later version, or replicas(...), which waits until replicas have received the lock, or"
                        + " leave onDisk out");
    }

    public static TooFewReplicasException tooFewReplicas(LockKey key, TooFewAcknowledged few) {
        return new TooFewReplicasException(
                key.name(),
                few.wanted,
                few.acknowledged,
                key.inWords() + " was not acquired: " + few.getMessage() + ". It is being released. " + remedy(few),
                few.getCause());
    }

    private static String remedy(TooFewAcknowledged few) {
        if (few.onDisk) {
            return few.acknowledged < 0
                    ? "Leave onDisk(...) out on a server that does not run WAITAOF, or allow it (+waitaof) and set"
                            + " appendonly yes"
                    : "Check appendfsync, the disks, the replicas and the network to them, or allow more time";
        }
        return few.acknowledged < 0
                ? "Leave replicas(...) out on a server that does not run WAIT, or allow it (+wait)"
                : "Check the replicas and the network to them, or allow more time";
    }
}
