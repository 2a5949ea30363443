package dev.leasehold.console;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The streams that are open, each with its user: a browser tab has one. No user, and no crowd of users who only read, can take those that
 * a user who acts needs. Users without names cannot be told apart, so they share all of them.
 */
final class OpenStreams {

    private static final int MOST = 16;
    private static final int MOST_OF_READERS = 12;

    /** Enough for a few tabs, one of which may change its screen before the server has noticed the end of the former stream. */
    private static final int MOST_OF_USER = 6;

    private final Lock lock = new ReentrantLock();
    private final List<ConsoleSession> open = new ArrayList<>();

    /** Counts a stream of a user, unless there are too many; returns whether it may be opened. */
    boolean enter(ConsoleSession session) {
        lock.lock();
        try {
            return open.size() < MOST && (session.user().isEmpty() || mayOpen(session)) && open.add(session);
        } finally {
            lock.unlock();
        }
    }

    private boolean mayOpen(ConsoleSession session) {
        long ofUser =
                open.stream().filter(each -> each.user().equals(session.user())).count();
        long ofReaders = open.stream().filter(each -> !each.mayAct()).count();
        return ofUser < MOST_OF_USER && (session.mayAct() || ofReaders < MOST_OF_READERS);
    }

    /** Counts a stream no longer. */
    void leave(ConsoleSession session) {
        lock.lock();
        try {
            open.remove(session);
        } finally {
            lock.unlock();
        }
    }
}
