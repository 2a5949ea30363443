package dev.leasehold.examples.quickstart;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The normative Lua files, read as an author of a client in another language would read them. */
final class LuaFiles {

    private static final Path DIRECTORY =
            Documents.ROOT.resolve("leasehold-core/src/main/resources/dev/leasehold/internal/script");

    private LuaFiles() {}

    private static final String PLAIN = "plain_";
    private static final String LATCH = "latch_";
    private static final String JOIN = "quorum_join";
    private static final String MARKER = "quorum_marker";

    /** The files that precede scripts and are no scripts themselves. */
    private static final Set<String> SHARED =
            Set.of("prelude", "renewal", "renew_each", PLAIN + "prelude", PLAIN + "renewal", LATCH + "prelude", MARKER);

    /** Returns the names of the scripts, without the files that only precede some. */
    static List<String> names() {
        return Documents.files(DIRECTORY, 1)
                .map(file -> file.getFileName().toString())
                .filter(file -> file.endsWith(".lua"))
                .map(file -> file.replace(".lua", ""))
                .filter(file -> !SHARED.contains(file))
                .sorted()
                .toList();
    }

    /** Returns a script as it is sent according to the document. */
    static String script(String name) {
        String kind = name.startsWith(PLAIN) || name.equals(JOIN) ? PLAIN : name.startsWith(LATCH) ? LATCH : "";
        String renewal = name.startsWith(kind + "renew") ? file(kind + "renewal") + "\n" : "";
        String each = name.endsWith("renew_many") ? file("renew_each") + "\n" : "";
        if (name.equals("acquire_many") || name.equals("quorum_acquire")) {
            each = "local function acquire(ARGV)\n" + file("acquire") + "end\n\n";
        }
        if (name.equals("quorum_acquire") || name.equals(JOIN)) {
            each += file(MARKER) + "\n";
        }
        return file(kind + "prelude") + "\n" + renewal + each + file(name);
    }

    /** Returns the comments at the beginning of a file. */
    static String header(String name) {
        return file(name).lines().takeWhile(line -> line.startsWith("--")).collect(Collectors.joining("\n", "", "\n"));
    }

    private static String file(String name) {
        return Documents.read(DIRECTORY.resolve(name + ".lua"));
    }
}
