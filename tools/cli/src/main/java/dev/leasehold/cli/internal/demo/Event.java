package dev.leasehold.cli.internal.demo;

/** An event that a process of the demonstration records. */
enum Event {
    /** A player is connected and waits for the start. */
    READY,
    /** A player has the lock. */
    ACQUIRED,
    /** A player saw that the winners are drawn already. */
    FOUND,
    /** A player has drawn half of the winners. */
    HALF,
    /** A player continues with the other half. */
    WENT_ON,
    /** The guarded resource accepted a player's winners. */
    DREW,
    /** The guarded resource refused a player's winners. */
    REFUSED,
    /** A player was notified that its lease is lost. */
    LOST,
    /** A player released the lock. */
    RELEASED,
    /** A player has finished a draw. */
    DONE,
    /** A player cannot continue. */
    FAILED,
    /** The director has started a draw. */
    STARTED,
    /** The director has stopped a player by SIGSTOP. */
    FROZEN,
    /** The director has resumed a player by SIGCONT. */
    THAWED,
    /** The director has killed a player by SIGKILL. */
    KILLED
}
