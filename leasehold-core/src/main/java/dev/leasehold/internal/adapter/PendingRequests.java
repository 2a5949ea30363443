package dev.leasehold.internal.adapter;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The SUBSCRIBE and UNSUBSCRIBE commands of one connection that have no answer yet. Redis answers them in the order in
 * which they were sent. Guarded by the lock of the {@link Subscriptions}.
 */
final class PendingRequests {

    private final Deque<Request> requests = new ArrayDeque<>();

    private record Request(String name, boolean subscribe) {}

    void addSubscribe(String name) {
        requests.add(new Request(name, true));
    }

    void addUnsubscribe(String name) {
        requests.add(new Request(name, false));
    }

    /** Removes the oldest request, a SUBSCRIBE that Redis answered. */
    void removeSubscribe() {
        requests.poll();
    }

    /** Removes the oldest request if it unsubscribes this channel; returns whether it does. */
    boolean removeUnsubscribe(String name) {
        if (!new Request(name, false).equals(requests.peek())) {
            return false;
        }
        requests.poll();
        return true;
    }

    /** Removes the oldest request, which Redis refused; returns its channel, or null if it was no SUBSCRIBE. */
    @Nullable
    String removeRefused() {
        Request refused = requests.poll();
        return refused == null || !refused.subscribe() ? null : refused.name();
    }

    boolean contains(String name) {
        return requests.stream().anyMatch(request -> request.name().equals(name));
    }

    boolean isEmpty() {
        return requests.isEmpty();
    }
}
