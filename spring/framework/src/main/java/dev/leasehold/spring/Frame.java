package dev.leasehold.spring;

/** One call under a lock. Several calls may share a hold. */
final class Frame {

    private final Hold hold;

    Frame(Hold hold) {
        this.hold = hold;
    }

    Hold hold() {
        return hold;
    }
}
