package dev.leasehold.tck;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The bytes on their way to one side of a connection: a queue in which nothing overtakes. Used on the proxy's
 * thread only.
 */
final class ProxyPipe {

    /** The time to the next due bytes if there are none. */
    static final long NEVER = Long.MAX_VALUE;

    private final SocketChannel sink;
    private final Deque<Parcel> queue = new ArrayDeque<>();
    private boolean open;
    private boolean ended;
    private boolean blocked;

    /** Bytes to send at an instant of System.nanoTime; without bytes, the end of the stream. */
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

    /** Creates a closed pipe: nothing is sent before {@link #open()}. */
    ProxyPipe(SocketChannel sink) {
        this.sink = sink;
    }

    void open() {
        open = true;
    }

    void put(byte[] bytes, long due, boolean held) {
        queue.add(new Parcel(ByteBuffer.wrap(bytes), due, held));
    }

    /** Queues the end of the stream. */
    void putEnd(long due) {
        queue.add(new Parcel(null, due, false));
    }

    /** Releases the held bytes. */
    void release() {
        queue.forEach(parcel -> parcel.held = false);
    }

    /** Releases the delayed bytes. */
    void hurry(long now) {
        queue.forEach(parcel -> parcel.due = now);
    }

    int held() {
        return Math.toIntExact(queue.stream().filter(parcel -> parcel.held).count());
    }

    boolean wantsToWrite() {
        return blocked;
    }

    /** Returns whether the end was sent, or the other side accepts nothing any more. */
    boolean isEnded() {
        return ended;
    }

    /** Sends the due bytes. Returns the nanoseconds until more are due, or NEVER. */
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
