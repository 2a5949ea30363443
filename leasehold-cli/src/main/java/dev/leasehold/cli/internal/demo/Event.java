package dev.leasehold.cli.internal.demo;

/** What a process of the demonstration records. */
enum Event {
    /** A player is connected and waits for the start. */
    READY,
    /** A player has the lock. */
    ACQUIRED,
    /** A player saw that the winners are drawn already. */
    FOUND,
    /** A player has drawn half of the winners. */
    HALF,
    /** A player goes on with the other half. */
    WENT_ON,
    /** A player's winners were written. */
    DREW,
    /** A player's winners were refused by the guarded resource. */
    REFUSED,
    /** A player was told that its lease is lost. */
    LOST,
    /** A player gave the lock back. */
    RELEASED,
    /** A player is through with a draw. */
    DONE,
    /** A player cannot go on. */
    FAILED,
    /** The director has started a draw. */
    STARTED,
    /** The director has stopped a player by SIGSTOP. */
    FROZEN,
    /** The director lets a player go on by SIGCONT. */
    THAWED,
    /** The director has killed a player by SIGKILL. */
    KILLED
}
