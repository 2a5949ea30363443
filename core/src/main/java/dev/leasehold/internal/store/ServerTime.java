package dev.leasehold.internal.store;

/** A moment of Redis TIME. Compared only with other such moments of the same server. */
public record ServerTime(long micros) {

    /** Before every moment: as {@code notAfter} of a release it means that one copy of the acquire was sent. */
    public static final ServerTime NONE = new ServerTime(0);

    /** The earlier of the two. */
    public ServerTime orEarlier(ServerTime other) {
        return other.micros < micros ? other : this;
    }

    /** The later of the two. */
    public ServerTime orLater(ServerTime other) {
        return other.micros > micros ? other : this;
    }
}
