package dev.leasehold.internal.key;

import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A pattern of lock names, in which {@code *} stands for any text. */
public final class NamePattern {

    private static final Pattern GLOB = Pattern.compile("[?\\[\\]\\\\^]");

    private final String text;
    private final Pattern compiled;

    /**
     * Reads a pattern.
     *
     * @throws IllegalArgumentException if it breaks the rule for names
     */
    public NamePattern(String text) {
        byte[] unused = Names.check("pattern of lock names", text);
        this.text = text;
        this.compiled = Pattern.compile(
                Stream.of(text.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining(".*")), Pattern.DOTALL);
    }

    /** Returns whether the pattern matches a name. */
    public boolean matches(String name) {
        return compiled.matcher(name).matches();
    }

    /** Returns the pattern as SCAN reads it, which gives more characters a meaning. */
    public String glob() {
        return GLOB.matcher(text).replaceAll("\\\\$0");
    }
}
