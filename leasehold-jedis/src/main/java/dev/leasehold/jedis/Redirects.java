package dev.leasehold.jedis;

import dev.leasehold.spi.RedisErrorException;

/** What a lane cannot decide by itself: it knows one server, and others of a cluster may have to answer. */
interface Redirects {

    /** Where a server stands alone. */
    Redirects NONE = new Redirects() {
        @Override
        public boolean take(BatchThread.Entry call, RedisErrorException refusal) {
            return false;
        }

        @Override
        public void unanswered() {}
    };

    /** Takes over a call that was refused, and so has not run; false if the refusal is the answer. */
    boolean take(BatchThread.Entry call, RedisErrorException refusal);

    /** There is no connection, or it broke, or was silent. */
    void unanswered();
}
