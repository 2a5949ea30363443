package dev.leasehold.lettuce;

import dev.leasehold.spi.RedisErrorException;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.CommandOutput;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decodes any reply: strings, integers, null, and lists of these. A map becomes a list of its keys and values. */
final class ReplyOutput extends CommandOutput<String, String, @Nullable Object> {

    private static final int USUAL_LENGTH = 128;

    /** Between the buffer of Lettuce and a text, on each of the few threads that decode. */
    private static final ThreadLocal<byte[]> BUFFER = ThreadLocal.withInitial(() -> new byte[USUAL_LENGTH]);

    private @Nullable Level innermost;

    ReplyOutput() {
        super(StringCodec.UTF8, null);
    }

    @Override
    public void multi(int count) {
        if (count < 0) {
            add(null);
            return;
        }
        List<@Nullable Object> elements = new ArrayList<>(count);
        if (count == 0) {
            add(elements);
        } else {
            place(elements);
            innermost = new Level(innermost, elements, count);
        }
    }

    @Override
    public void set(@Nullable ByteBuffer bytes) {
        add(bytes == null ? null : text(bytes));
    }

    @Override
    public void set(long integer) {
        add(integer);
    }

    @Override
    public void set(double number) {
        add(Double.toString(number));
    }

    @Override
    public void set(boolean value) {
        add(value ? 1L : 0L);
    }

    @Override
    public void setError(ByteBuffer error) {
        setError(text(error));
    }

    /** An error within a list is an element of it. */
    @Override
    public void setError(String error) {
        if (innermost == null) {
            super.setError(error);
        } else {
            add(new RedisErrorException(error));
        }
    }

    private static String text(ByteBuffer bytes) {
        int length = bytes.remaining();
        byte[] buffer = length <= USUAL_LENGTH ? BUFFER.get() : new byte[length];
        bytes.get(buffer, 0, length);
        return new String(buffer, 0, length, StandardCharsets.UTF_8);
    }

    private void add(@Nullable Object value) {
        place(value);
        Level level = innermost;
        while (level != null && level.elements.size() == level.count) {
            level = level.outer;
        }
        innermost = level;
    }

    private void place(@Nullable Object value) {
        Level level = innermost;
        if (level == null) {
            output = value;
        } else {
            level.elements.add(value);
        }
    }

    /** A list that still misses elements. */
    private record Level(@Nullable Level outer, List<@Nullable Object> elements, int count) {}
}
