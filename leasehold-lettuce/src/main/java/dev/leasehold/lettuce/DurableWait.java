package dev.leasehold.lettuce;

import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.CommandOutput;

/**
 * The command that counts the servers that have the previous writes of its connection. It is sent with these writes, in
 * one flush.
 */
final class DurableWait {

    private DurableWait() {}

    /** Answered with how many replicas have received it, or how many servers have it on disk. */
    static SentCommand<Long> of(boolean onDisk, int replicas, long withinMillis, String address) {
        return onDisk
                ? new SentCommand<>(
                        new LettuceNode.Name("WAITAOF"),
                        new CountOutput(),
                        SentCommand.args().add(1).add(replicas).add(withinMillis),
                        address)
                : new SentCommand<>(
                        new LettuceNode.Name("WAIT"),
                        new CountOutput(),
                        SentCommand.args().add(replicas).add(withinMillis),
                        address);
    }

    /**
     * One number, of replicas; or two, first whether the server itself has it on disk, then how many replicas have. Without
     * itself none counts: it is the one that may restart.
     */
    private static final class CountOutput extends CommandOutput<String, String, Long> {
        private boolean second;

        CountOutput() {
            super(StringCodec.UTF8, 0L);
        }

        @Override
        public void set(long number) {
            if (!second) {
                output = number;
            } else if (output > 0) {
                output += number;
            }
            second = true;
        }

        @Override
        public void multi(int count) {
            // Two numbers follow.
        }
    }
}
