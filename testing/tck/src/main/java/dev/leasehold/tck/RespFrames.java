package dev.leasehold.tck;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Splits a stream of RESP2 or RESP3 into requests, or into replies and messages, and keeps the beginning of an
 * incomplete frame. Not thread-safe.
 */
final class RespFrames {

    private static final int INCOMPLETE = -1;

    private byte[] pending = new byte[0];

    /**
     * Takes the next bytes of the stream and returns the frames they complete, in order.
     *
     * @throws IOException if the stream is not RESP
     */
    List<byte[]> feed(ByteBuffer bytes) throws IOException {
        int kept = pending.length;
        pending = Arrays.copyOf(pending, kept + bytes.remaining());
        bytes.get(pending, kept, bytes.remaining());
        List<byte[]> frames = new ArrayList<>();
        int start = 0;
        for (int end = end(start); end != INCOMPLETE; end = end(start)) {
            frames.add(Arrays.copyOfRange(pending, start, end));
            start = end;
        }
        pending = Arrays.copyOfRange(pending, start, pending.length);
        return frames;
    }

    /** Returns the end of the frame that begins at this index. */
    private int end(int start) throws IOException {
        int at = start;
        long left = 1;
        while (left > 0) {
            int afterLine = afterLine(at);
            if (afterLine == INCOMPLETE) {
                return INCOMPLETE;
            }
            left--;
            switch (pending[at]) {
                case '$', '!', '=' -> at = afterBytes(afterLine, number(at, afterLine));
                case '*', '~', '>' -> {
                    left += Math.max(0, number(at, afterLine));
                    at = afterLine;
                }
                case '%' -> {
                    left += 2 * number(at, afterLine);
                    at = afterLine;
                }
                // An attribute precedes its reply.
                case '|' -> {
                    left += 2 * number(at, afterLine) + 1;
                    at = afterLine;
                }
                default -> at = afterLine;
            }
            if (at == INCOMPLETE) {
                return INCOMPLETE;
            }
        }
        return at;
    }

    private int afterLine(int from) {
        for (int i = from; i + 1 < pending.length; i++) {
            if (pending[i] == '\r' && pending[i + 1] == '\n') {
                return i + 2;
            }
        }
        return INCOMPLETE;
    }

    private int afterBytes(int from, long length) {
        if (length < 0) {
            return from;
        }
        long end = from + length + 2;
        return end > pending.length ? INCOMPLETE : Math.toIntExact(end);
    }

    private long number(int at, int afterLine) throws IOException {
        String digits = new String(pending, at + 1, afterLine - at - 3, StandardCharsets.US_ASCII);
        try {
            return Long.parseLong(digits);
        } catch (NumberFormatException e) {
            throw new IOException("Not RESP: a length of \"" + digits + "\"", e);
        }
    }
}
