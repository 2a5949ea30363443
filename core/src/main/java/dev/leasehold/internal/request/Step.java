package dev.leasehold.internal.request;

import dev.leasehold.Durability;
import dev.leasehold.internal.store.LockRequest;
import java.util.function.Consumer;

/** The next step of an operation, which a driver executes. */
public sealed interface Step {

    /** The end of an operation. */
    Step OVER = new Over();

    /**
     * Sends a request and reports the answer, or its absence after the timeout.
     *
     * @param durability the replicas or disks that must acknowledge a grant
     * @param answered handles the answer
     * @param answeredLate handles the answer to a request that the driver no longer waits for; on any thread
     */
    record Send<A>(
            LockRequest<A> request, long sentAt, Durability durability, Consumer<A> answered, Consumer<A> answeredLate)
            implements Step {

        /** Creates a step whose late answer is ignored. */
        public Send(LockRequest<A> request, long sentAt, Durability durability, Consumer<A> answered) {
            this(request, sentAt, durability, answered, late -> {});
        }

        /** Creates a step that needs no acknowledgement of replicas, and whose late answer is ignored. */
        public Send(LockRequest<A> request, long sentAt, Consumer<A> answered) {
            this(request, sentAt, Durability.none(), answered);
        }

        long timeoutNanos() {
            return request.timeoutNanos();
        }

        /** Reports the outcome to the operation that sends this request. */
        void report(Exchange<A> exchange, Operation<?> operation) {
            A answer = exchange.answer();
            if (answer != null) {
                answered.accept(answer);
            } else {
                operation.failed(exchange.problem());
            }
        }
    }

    /** Waits until this moment, or until a wake-up, and then asks for the next step. */
    record Pause(long until) implements Step {}

    /** Nothing: the operation has ended. */
    record Over() implements Step {}
}
