package dev.leasehold.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A change of a trace, which makes it one that the specification does not allow.
 *
 * @param name the name of the changed trace
 * @param line the number of the changed line, 0 for all
 * @param find the text to replace
 * @param replace the replacement
 * @param rejected the number of the first line that is impossible then
 */
record Deviation(String name, int line, String find, String replace, int rejected) {

    Deviation(String name, int line, String find, String replace) {
        this(name, line, find, replace, line);
    }

    List<String> apply(List<String> trace) {
        List<String> changed = new ArrayList<>();
        boolean found = false;
        for (String text : trace) {
            boolean here = (line == 0 || changed.size() == line - 1) && text.contains(find);
            changed.add(here ? text.replace(find, replace) : text);
            found |= here;
        }
        assertThat(found).as("\"%s\" in line %d", find, line).isTrue();
        return named(name, changed);
    }

    /** Returns a trace named "T" under another name. */
    static List<String> named(String name, List<String> trace) {
        return trace.stream()
                .map(one -> one.replace("\"trace\":\"T\"", "\"trace\":\"" + name + "\""))
                .toList();
    }

    /** Returns the lines of a file beside this class. */
    static List<String> lines(String resource) throws IOException {
        try (InputStream in = Deviation.class.getResourceAsStream(resource)) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        }
    }
}
