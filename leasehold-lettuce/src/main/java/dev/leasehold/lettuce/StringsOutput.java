package dev.leasehold.lettuce;

import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.CommandOutput;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decodes the reply of a script straight into a flat list of strings: numbers in decimal, what is nested in its place,
 * nil as the empty string.
 */
final class StringsOutput extends CommandOutput<String, String, List<String>> {

    private static final List<String> NONE = List.of();

    StringsOutput() {
        super(StringCodec.UTF8, NONE);
    }

    @Override
    public void multi(int count) {
        if (output == NONE && count > 0) {
            output = new ArrayList<>(count);
        }
    }

    @Override
    public void set(@Nullable ByteBuffer bytes) {
        add(bytes == null ? "" : text(bytes));
    }

    @Override
    public void set(long integer) {
        add(Long.toString(integer));
    }

    @Override
    public void set(double number) {
        add(Double.toString(number));
    }

    @Override
    public void set(boolean value) {
        add(value ? "1" : "0");
    }

    private void add(String element) {
        multi(1);
        output.add(element);
    }

    /** The bytes as UTF-8. */
    static String text(ByteBuffer bytes) {
        byte[] copy = new byte[bytes.remaining()];
        bytes.get(copy);
        return new String(copy, StandardCharsets.UTF_8);
    }
}
