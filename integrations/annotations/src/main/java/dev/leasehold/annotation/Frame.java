package dev.leasehold.annotation;

/** One call under a lock, which calls inside of it may join. Several calls may share a hold. */
public final class Frame {

    private final Hold hold;

    Frame(Hold hold) {
        this.hold = hold;
    }

    Hold hold() {
        return hold;
    }
}
