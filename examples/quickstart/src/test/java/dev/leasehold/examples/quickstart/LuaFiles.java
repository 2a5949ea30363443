package dev.leasehold.examples.quickstart;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The normative Lua files, read as an author of a client in another language would read them. */
final class LuaFiles {

    private static final Path DIRECTORY =
            Documents.ROOT.resolve("core/src/main/resources/dev/leasehold/internal/script");
    private static final Pattern INCLUDE = Pattern.compile(" *-- include( script)?: (.*)");

    private LuaFiles() {}

    /** Returns the names of the scripts, without the parts of which they are composed. */
    static List<String> names() {
        return Documents.files(DIRECTORY, 1)
                .map(file -> file.getFileName().toString())
                .filter(file -> file.endsWith(".lua"))
                .map(file -> file.replace(".lua", ""))
                .sorted()
                .toList();
    }

    /** Returns a script as it is sent according to the document. */
    static String script(String name) {
        return compose(name, new HashSet<>());
    }

    private static String compose(String name, Set<String> included) {
        return file(name).lines().map(line -> composed(line, included)).collect(Collectors.joining());
    }

    private static String composed(String line, Set<String> included) {
        Matcher include = INCLUDE.matcher(line);
        if (!include.matches()) {
            return line + "\n";
        }
        String directory = include.group(1) == null ? "part/" : "";
        StringBuilder parts = new StringBuilder();
        for (String part : include.group(2).split(", ")) {
            String file = directory + part;
            parts.append(included.add(file) ? compose(file, included) : "");
        }
        return parts.toString();
    }

    /** Returns the comments at the beginning of a file. */
    static String header(String name) {
        return file(name).lines().takeWhile(line -> line.startsWith("--")).collect(Collectors.joining("\n", "", "\n"));
    }

    private static String file(String name) {
        return Documents.read(DIRECTORY.resolve(name + ".lua"));
    }
}
