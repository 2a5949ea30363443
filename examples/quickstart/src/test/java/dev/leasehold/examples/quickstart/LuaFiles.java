package dev.leasehold.examples.quickstart;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** The normative Lua files, read as somebody would who writes a client in another language. */
final class LuaFiles {

    private static final Path DIRECTORY =
            Documents.ROOT.resolve("leasehold-core/src/main/resources/dev/leasehold/internal/script");

    private LuaFiles() {}

    /** Stands between the prelude and the scripts that renew. */
    private static final String RENEWAL = "renewal";

    /** The names of the scripts, without what only stands before some. */
    static List<String> names() {
        return Documents.files(DIRECTORY, 1)
                .map(file -> file.getFileName().toString())
                .filter(file -> file.endsWith(".lua") && !file.equals("prelude.lua") && !file.equals(RENEWAL + ".lua"))
                .map(file -> file.replace(".lua", ""))
                .sorted()
                .toList();
    }

    /** A script as the document says it is sent. */
    static String script(String name) {
        String renewal = name.startsWith("renew") ? file(RENEWAL) + "\n" : "";
        return file("prelude") + "\n" + renewal + file(name);
    }

    /** The comments with which a file begins. */
    static String header(String name) {
        return file(name).lines().takeWhile(line -> line.startsWith("--")).collect(Collectors.joining("\n", "", "\n"));
    }

    private static String file(String name) {
        return Documents.read(DIRECTORY.resolve(name + ".lua"));
    }
}
