package dev.leasehold.annotation;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Splits the text of a template into expressions, each in <code>#{...}</code>, and the text around them. */
final class TemplateText {

    private static final String PREFIX = "#{";

    private final String source;

    private TemplateText(String source) {
        this.source = source;
    }

    /** A part of a template. */
    record Piece(String text, boolean isExpression) {}

    /** @throws IllegalArgumentException if an expression is empty or does not end */
    static List<Piece> split(String source) {
        return new TemplateText(source).pieces();
    }

    private List<Piece> pieces() {
        List<Piece> pieces = new ArrayList<>();
        int from = 0;
        for (int open = source.indexOf(PREFIX); open >= 0; open = source.indexOf(PREFIX, from)) {
            if (open > from) {
                pieces.add(new Piece(source.substring(from, open), false));
            }
            int close = end(open + PREFIX.length());
            String expression = source.substring(open + PREFIX.length(), close).trim();
            if (expression.isEmpty()) {
                throw refused("#{} is empty");
            }
            pieces.add(new Piece(expression, true));
            from = close + 1;
        }
        if (from < source.length()) {
            pieces.add(new Piece(source.substring(from), false));
        }
        return pieces;
    }

    /** Returns the index of the brace that ends an expression: brackets nest, and quotes hide them. */
    private int end(int from) {
        Deque<Character> expected = new ArrayDeque<>();
        for (int i = from; i < source.length(); i++) {
            char c = source.charAt(i);
            switch (c) {
                case '(' -> expected.push(')');
                case '[' -> expected.push(']');
                case '{' -> expected.push('}');
                case '\'', '"' -> i = quoted(c, i);
                case ')', ']', '}' -> {
                    if (expected.isEmpty() && c == '}') {
                        return i;
                    }
                    if (expected.isEmpty() || expected.pop() != c) {
                        throw refused("'" + c + "' at " + i + " closes nothing");
                    }
                }
                default -> {
                    // Part of a name, a number or an operator.
                }
            }
        }
        throw refused("an expression has no closing brace");
    }

    private int quoted(char quote, int from) {
        int end = source.indexOf(quote, from + 1);
        if (end < 0) {
            throw refused("a quoted text has no end");
        }
        return end;
    }

    private IllegalArgumentException refused(String why) {
        return new IllegalArgumentException(
                "'" + source + "' is not a template: " + why + ". Write it like order:#{#order.id}");
    }
}
