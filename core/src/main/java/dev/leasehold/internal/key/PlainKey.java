package dev.leasehold.internal.key;

/** The key of a plain lock: its name, unencoded, because other programs with the same convention must find it. */
public final class PlainKey extends LockKey {

    private PlainKey(String name) {
        super(name);
    }

    /** Returns the key of a name. */
    public static PlainKey of(String name) {
        byte[] unused = Names.check("lock name", name);
        return new PlainKey(name);
    }

    @Override
    public String name() {
        return key();
    }

    @Override
    public LockKind kind() {
        return LockKind.PLAIN;
    }
}
