package dev.leasehold.cli.internal.top;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;

/**
 * Keeps what is written to standard error, so that a log message cannot disturb the screen, and prints it on closing.
 * What is beyond the limit is lost.
 */
final class DeferredErrors implements AutoCloseable {

    private static final int LIMIT_BYTES = 64 * 1024;

    private final PrintStream before = System.err;
    private final Charset charset;
    private final Kept kept = new Kept();

    private DeferredErrors(Charset charset) {
        this.charset = charset;
    }

    /** Written to by one thread at a time, as {@link PrintStream} takes care of. */
    private static final class Kept extends OutputStream {

        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        @Override
        public void write(int b) {
            if (bytes.size() < LIMIT_BYTES) {
                bytes.write(b);
            }
        }
    }

    /** Begins to keep standard error. */
    static DeferredErrors begin(Charset charset) {
        DeferredErrors errors = new DeferredErrors(charset);
        System.setErr(new PrintStream(errors.kept, true, charset));
        return errors;
    }

    @Override
    public void close() {
        System.setErr(before);
        before.print(kept.bytes.toString(charset));
        before.flush();
    }
}
