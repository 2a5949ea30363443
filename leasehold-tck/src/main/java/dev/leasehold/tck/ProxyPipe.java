package dev.leasehold.tck;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * What is on its way to one side of a connection: a queue that nothing overtakes. Used on the proxy's thread only.
 */
final class ProxyPipe {

    /** When nothing is due. */
    static final long NEVER = Long.MAX_VALUE;

    private final SocketChannel sink;
    private final Deque<Parcel> queue = new ArrayDeque<>();
    private boolean open;
    private boolean ended;
    private boolean blocked;

    /** Bytes, or without them the end of the stream, to go out at an instant of System.nanoTime. */
    private static final class Parcel {
        private final @Nullable ByteBuffer bytes;
        private long due;
        private boolean held;

        Parcel(@Nullable ByteBuffer bytes, long due, boolean held) {
            this.bytes = bytes;
            this.due = due;
            this.held = held;
        }
    }

    /** Nothing goes out before {@link #open()}. */
    ProxyPipe(SocketChannel sink) {
        this.sink = sink;
    }

    void open() {
        open = true;
    }

    void put(byte[] bytes, long due, boolean held) {
        queue.add(new Parcel(ByteBuffer.wrap(bytes), due, held));
    }

    /** The end of the stream, behind all that is queued. */
    void putEnd(long due) {
        queue.add(new Parcel(null, due, false));
    }

    /** Lets go what is held. */
    void release() {
        queue.forEach(parcel -> parcel.held = false);
    }

    /** Lets go what is delayed. */
    void hurry(long now) {
        queue.forEach(parcel -> parcel.due = now);
    }

    int held() {
        return Math.toIntExact(queue.stream().filter(parcel -> parcel.held).count());
    }

    boolean wantsToWrite() {
        return blocked;
    }

    /** Whether the end has gone out, or the other side takes nothing any more. */
    boolean isEnded() {
        return ended;
    }

    /** Sends what is due. Gives the nanoseconds until more is, or NEVER. */
    long flush(long now) {
        blocked = false;
        while (open && !ended) {
            Parcel head = queue.peek();
            if (head == null || head.held) {
                return NEVER;
            }
            if (head.due - now > 0) {
                return head.due - now;
            }
            if (!send(head.bytes)) {
                blocked = true;
                return NEVER;
            }
            queue.remove();
        }
        return NEVER;
    }

    private boolean send(@Nullable ByteBuffer bytes) {
        try {
            if (bytes == null) {
                ended = true;
                sink.shutdownOutput();
                return true;
            }
            sink.write(bytes);
            return !bytes.hasRemaining();
        } catch (IOException gone) {
            ended = true;
            return true;
        }
    }
}
