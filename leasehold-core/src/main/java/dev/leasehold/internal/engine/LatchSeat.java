package dev.leasehold.internal.engine;

/** Where one await of a latch waits. */
final class LatchSeat extends CalledSeat {

    final LatchLine line;

    LatchSeat(LatchLine line) {
        super(false);
        this.line = line;
    }
}
