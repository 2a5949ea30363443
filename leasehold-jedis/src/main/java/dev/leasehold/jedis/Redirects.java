package dev.leasehold.jedis;

import dev.leasehold.spi.RedisErrorException;

/** Handles redirections for a batch thread, which knows only its own server of a cluster. */
interface Redirects {

    /** The redirects of a single server. */
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
