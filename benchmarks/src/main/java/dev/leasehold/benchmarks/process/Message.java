package dev.leasehold.benchmarks.process;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;

/** One line between two JVMs: a verb, then {@code key=value} after each space; both encoded, so that any text fits. */
public record Message(String verb, Map<String, String> values) {

    /** Keeps the values in the order of their keys. */
    public Message {
        values = new TreeMap<>(values);
    }

    /** Returns a message without values. */
    public static Message of(String verb) {
        return new Message(verb, Map.of());
    }

    /** Returns the same message with one more value. */
    public Message with(String key, Object value) {
        Map<String, String> more = new TreeMap<>(values);
        more.put(key, String.valueOf(value));
        return new Message(verb, more);
    }

    /** Returns the same message with a list of numbers. */
    public Message with(String key, LongStream numbers) {
        StringBuilder text = new StringBuilder();
        numbers.forEach(number -> text.append(text.isEmpty() ? "" : ",").append(number));
        return with(key, text);
    }

    /**
     * Parses a line.
     *
     * @throws IllegalArgumentException if it is not a message
     */
    public static Message parse(String line) {
        String[] words = line.strip().split(" ", -1);
        Map<String, String> values = new TreeMap<>();
        for (String word : Arrays.asList(words).subList(1, words.length)) {
            int equals = word.indexOf('=');
            if (equals <= 0) {
                throw new IllegalArgumentException("'" + word + "' is no value, in the line '" + line + "'");
            }
            values.put(decode(word.substring(0, equals)), decode(word.substring(equals + 1)));
        }
        return new Message(decode(words[0]), values);
    }

    /** Returns the line, without its end. */
    public String line() {
        StringBuilder line = new StringBuilder(encode(verb));
        values.forEach(
                (key, value) -> line.append(' ').append(encode(key)).append('=').append(encode(value)));
        return line.toString();
    }

    /**
     * Returns a value.
     *
     * @throws IllegalArgumentException if it is missing
     */
    public String text(String key) {
        String value = values.get(key);
        if (value == null) {
            throw new IllegalArgumentException("there is no " + key + " in '" + line() + "'");
        }
        return value;
    }

    /** Returns a value that is a number. */
    public long number(String key) {
        return Long.parseLong(text(key));
    }

    /** Returns the same as an int. */
    public int count(String key) {
        return Math.toIntExact(number(key));
    }

    /** Returns a value that is a list of numbers. */
    public long[] numbers(String key) {
        String text = text(key);
        return text.isEmpty()
                ? new long[0]
                : Arrays.stream(text.split(",", -1)).mapToLong(Long::parseLong).toArray();
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static String decode(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }
}
