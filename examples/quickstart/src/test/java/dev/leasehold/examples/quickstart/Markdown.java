package dev.leasehold.examples.quickstart;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The parts of a document that tests compare with the code. */
record Markdown(List<Block> blocks, List<Heading> headings, List<Row> rows, String text) {

    private static final Pattern BLOCK = Pattern.compile(
            "^(?:<!-- ([a-z-]+: \\S+) -->\\n)?```(\\w*)\\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);
    private static final Pattern HEADING = Pattern.compile("^(#+) (.*)$", Pattern.MULTILINE);
    private static final Pattern ROW = Pattern.compile("^\\|(.*)\\|$", Pattern.MULTILINE);
    private static final Pattern ID = Pattern.compile("<!-- id: (\\S+) -->");

    /** A fenced block and the marker in the line before it, or an empty one. */
    record Block(String marker, String language, String text) {}

    record Heading(int level, String title) {}

    /** A row of a table: its cells, and the id in the comment of a cell, or an empty one. */
    record Row(List<String> cells, String id) {}

    static Markdown of(String text) {
        String prose = BLOCK.matcher(text).replaceAll("");
        return new Markdown(
                all(BLOCK, text, m -> new Block(m.group(1) == null ? "" : m.group(1), m.group(2), m.group(3))),
                all(HEADING, prose, m -> new Heading(m.group(1).length(), m.group(2))),
                all(ROW, prose, m -> row(m.group(1))),
                text);
    }

    private static Row row(String line) {
        Matcher id = ID.matcher(line);
        String found = id.find() ? id.group(1) : "";
        List<String> cells = Arrays.stream(ID.matcher(line).replaceAll("").split("(?<!\\\\)\\|", -1))
                .map(String::strip)
                .toList();
        return new Row(cells, found);
    }

    private static <T> List<T> all(Pattern pattern, String text, java.util.function.Function<MatchResult, T> made) {
        List<T> found = new ArrayList<>();
        Matcher matcher = pattern.matcher(text);
        while (matcher.find()) {
            found.add(made.apply(matcher.toMatchResult()));
        }
        return found;
    }

    /** Returns the blocks whose marker begins with this word, such as {@code example}. */
    List<Block> marked(String word) {
        return blocks.stream()
                .filter(block -> block.marker().startsWith(word + ": "))
                .toList();
    }

    /** Returns the rows that have an id. */
    List<Row> rowsWithId() {
        return rows.stream().filter(row -> !row.id().isEmpty()).toList();
    }
}
