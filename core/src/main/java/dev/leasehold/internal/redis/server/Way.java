package dev.leasehold.internal.redis.server;

/** The kinds of paths to a server over which a script is called. */
public enum Way {
    /** For callers that wait. */
    CALL,
    /** For what is sent in batches. */
    BATCH,
    /** For what people ask. */
    INSPECTION,
    /** For writes that replicas are to have, too: it waits for them. */
    DURABLE
}
