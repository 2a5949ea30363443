package dev.leasehold.model;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tlc2.overrides.TLAPlusOperator;
import tlc2.value.impl.BoolValue;
import tlc2.value.impl.IntValue;
import tlc2.value.impl.RecordValue;
import tlc2.value.impl.StringValue;
import tlc2.value.impl.TupleValue;
import tlc2.value.impl.Value;
import util.UniqueString;

/**
 * The operators of {@code TraceLines.tla}, which read traces: the file that the property {@code leasehold.traces} names, with one
 * object of JSON in each line. The lines of a trace have the same "trace".
 */
public final class TraceFile {

    private static final String MODULE = "TraceLines";
    private static final JsonFactory JSON = new JsonFactory();
    private static final Pattern TRACE = Pattern.compile("\"trace\":\"([^\"]*)\"");

    /** The traces, in order. */
    private static final class Read {
        static final List<String> NAMES = new ArrayList<>();
        static final List<List<String>> LINES = new ArrayList<>();

        static {
            Map<String, List<String>> byName = new LinkedHashMap<>();
            try {
                for (String line : Files.readAllLines(Path.of(System.getProperty("leasehold.traces")))) {
                    Matcher matcher = TRACE.matcher(line);
                    if (!matcher.find()) {
                        throw new IllegalArgumentException("a line names no trace: " + line);
                    }
                    byName.computeIfAbsent(matcher.group(1), name -> new ArrayList<>())
                            .add(line);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            NAMES.addAll(byName.keySet());
            LINES.addAll(byName.values());
        }
    }

    private TraceFile() {}

    /** Returns how many traces there are. */
    @TLAPlusOperator(identifier = "Traces", module = MODULE, warn = false)
    public static Value traces() {
        return IntValue.gen(Read.NAMES.size());
    }

    /** Returns the name of a trace. */
    @TLAPlusOperator(identifier = "Name", module = MODULE, warn = false)
    public static Value name(IntValue number) {
        return new StringValue(Read.NAMES.get(number.val - 1));
    }

    /** Returns how many lines a trace has. */
    @TLAPlusOperator(identifier = "Length", module = MODULE, warn = false)
    public static Value length(IntValue number) {
        return IntValue.gen(Read.LINES.get(number.val - 1).size());
    }

    /** The line that a thread of TLC has read last: a specification refers to it many times. */
    private record Last(int number, int line, Value value) {}

    private static final ThreadLocal<Last> LAST = new ThreadLocal<>();

    /** Returns a line of a trace, as a record. */
    @TLAPlusOperator(identifier = "Line", module = MODULE, warn = false)
    public static Value line(IntValue number, IntValue line) throws IOException {
        Last last = LAST.get();
        if (last == null || last.number() != number.val || last.line() != line.val) {
            last = new Last(
                    number.val, line.val, parse(Read.LINES.get(number.val - 1).get(line.val - 1)));
            LAST.set(last);
        }
        return last.value();
    }

    private static Value parse(String line) throws IOException {
        try (JsonParser json = JSON.createParser(line)) {
            json.nextToken();
            Value value = value(json);
            value.deepNormalize();
            return value;
        }
    }

    private static Value value(JsonParser json) throws IOException {
        return switch (json.currentToken()) {
            case START_OBJECT -> record(json);
            case START_ARRAY -> tuple(json);
            case VALUE_NUMBER_INT -> IntValue.gen(json.getIntValue());
            case VALUE_STRING -> new StringValue(json.getText());
            case VALUE_TRUE -> BoolValue.ValTrue;
            case VALUE_FALSE -> BoolValue.ValFalse;
            default -> throw new IllegalArgumentException("no value of a trace: " + json.currentToken());
        };
    }

    private static Value record(JsonParser json) throws IOException {
        List<UniqueString> names = new ArrayList<>();
        List<Value> values = new ArrayList<>();
        while (json.nextToken() != JsonToken.END_OBJECT) {
            names.add(UniqueString.uniqueStringOf(json.currentName()));
            json.nextToken();
            values.add(value(json));
        }
        return new RecordValue(names.toArray(new UniqueString[0]), values.toArray(new Value[0]), false);
    }

    private static Value tuple(JsonParser json) throws IOException {
        List<Value> values = new ArrayList<>();
        while (json.nextToken() != JsonToken.END_ARRAY) {
            values.add(value(json));
        }
        return new TupleValue(values.toArray(new Value[0]));
    }
}
