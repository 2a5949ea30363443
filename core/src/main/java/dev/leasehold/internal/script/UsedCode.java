package dev.leasehold.internal.script;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The code of a composed script that it uses. Redis runs a script from its first line at each call, and every function
 * that it creates, and every local variable that a function refers to, costs time. So functions that nothing calls are
 * left out, and constants are replaced by their values. So are comments below the header, since a script for which
 * replicas are awaited is sent whole.
 *
 * <p>It relies on how the resources are written: a function of a file begins with {@code local function} and ends with
 * {@code end}, both at the margin, and constants are in capitals, each line with as many values as names.
 */
final class UsedCode {

    private static final String COMMENT = "--";
    private static final Pattern FUNCTION = Pattern.compile("local function (\\w+)\\(.*");
    private static final Pattern CONSTANTS = Pattern.compile("local ([A-Z][A-Z_]*(?:, [A-Z][A-Z_]*)*) = ([^{}]*)");
    private static final Pattern CAPITALS = Pattern.compile("\\b[A-Z][A-Z_]+\\b");
    private static final Pattern WORD = Pattern.compile("\\w+");

    private final List<String> lines;
    private final Map<String, String> constants = new HashMap<>();

    /** Reads the lines of a script whose parts are included. */
    UsedCode(List<String> lines) {
        this.lines = lines;
    }

    /** Returns the script as it is sent. */
    String text() {
        int header = 0;
        while (lines.get(header).startsWith(COMMENT)) {
            header++;
        }
        List<String> code = withoutConstants(lines.subList(header, lines.size()));
        return String.join("\n", lines.subList(0, header)) + "\n" + String.join("\n", withoutUnused(code)) + "\n";
    }

    private List<String> withoutConstants(List<String> all) {
        List<String> code = new ArrayList<>();
        for (String line : all) {
            Matcher definition = CONSTANTS.matcher(line);
            if (definition.matches()) {
                List<String> names = Arrays.asList(definition.group(1).split(", ", -1));
                List<String> values = Arrays.asList(definition.group(2).split(", ", -1));
                names.forEach(name -> constants.put(name, values.get(names.indexOf(name))));
            } else if (!line.isBlank() && !line.strip().startsWith(COMMENT)) {
                code.add(CAPITALS.matcher(line).replaceAll(name -> constants.getOrDefault(name.group(), name.group())));
            }
        }
        return code;
    }

    /** A function is used only by what comes after it. */
    private static List<String> withoutUnused(List<String> code) {
        Deque<String> kept = new ArrayDeque<>();
        Set<String> used = new HashSet<>();
        List<List<String>> blocks = blocks(code);
        Collections.reverse(blocks);
        for (List<String> block : blocks) {
            Matcher function = FUNCTION.matcher(block.get(0));
            if (!function.matches() || used.contains(function.group(1))) {
                String text = String.join("\n", block);
                WORD.matcher(text).results().forEach(word -> used.add(word.group()));
                kept.addFirst(text);
            }
        }
        return List.copyOf(kept);
    }

    /** Returns the functions, each as a whole, and all other lines. */
    private static List<List<String>> blocks(List<String> code) {
        List<List<String>> blocks = new ArrayList<>();
        int begin = 0;
        while (begin < code.size()) {
            int end = begin + 1;
            if (FUNCTION.matcher(code.get(begin)).matches()) {
                while (!code.get(end - 1).equals("end")) {
                    end++;
                }
            }
            blocks.add(code.subList(begin, end));
            begin = end;
        }
        return blocks;
    }
}
