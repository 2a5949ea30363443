package dev.leasehold.simulation;

import java.util.List;

/**
 * The world of a plan: its servers, its clients, and what all of them do alike.
 *
 * @param clients the number of clients
 * @param locks the names of the locks, of which the prefix says the kind
 * @param servers the number of servers, of which a majority decides if there are several
 * @param replicated whether the server has a replica, for which acquisitions may wait
 * @param commandMillis the command timeout of the clients
 * @param memoryMillis the time for which keys outlive their use
 * @param answersAtOnce whether the transport answers within the call, like a blocking client
 * @param atMostOnce whether the transport promises never to send twice
 * @param exactTimers whether timers end on time; otherwise they are late by up to 2 % of their time
 * @param wakeUps whether most waiters use the queue
 * @param combines whether the clients combine calls
 * @param tracksKeys whether Redis tells clients of changes of the keys of their leases
 * @param listens whether holders listen for requests to release
 */
record Setup(
        int clients,
        List<String> locks,
        int servers,
        boolean replicated,
        long commandMillis,
        long memoryMillis,
        boolean answersAtOnce,
        boolean atMostOnce,
        boolean exactTimers,
        boolean wakeUps,
        boolean combines,
        boolean tracksKeys,
        boolean listens) {

    /** Returns whether a majority of several servers decides; there is only one kind of lock then. */
    boolean ofQuorum() {
        return servers > 1;
    }
}
