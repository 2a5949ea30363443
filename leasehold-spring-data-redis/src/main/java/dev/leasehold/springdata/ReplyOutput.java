package dev.leasehold.springdata;

import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.CommandOutput;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decodes any reply: strings, integers, null, and lists of these. A map becomes a list of its keys and values. */
final class ReplyOutput extends CommandOutput<String, String, @Nullable Object> {

    private final Deque<Level> open = new ArrayDeque<>();

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
            open.push(new Level(elements, count));
        }
    }

    @Override
    public void set(@Nullable ByteBuffer bytes) {
        add(bytes == null ? null : StandardCharsets.UTF_8.decode(bytes).toString());
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

    private void add(@Nullable Object value) {
        place(value);
        Level level = open.peek();
        while (level != null && level.elements.size() == level.count) {
            open.pop();
            level = open.peek();
        }
    }

    private void place(@Nullable Object value) {
        Level level = open.peek();
        if (level == null) {
            output = value;
        } else {
            level.elements.add(value);
        }
    }

    /** A list that still misses elements. */
    private record Level(List<@Nullable Object> elements, int count) {}
}
