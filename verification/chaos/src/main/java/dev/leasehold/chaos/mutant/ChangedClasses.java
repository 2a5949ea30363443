package dev.leasehold.chaos.mutant;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/** The classes and scripts of the core that a mutant changes, to be placed before those of the core on a class path. */
public final class ChangedClasses {

    private ChangedClasses() {}

    /** Compiles them below this directory, and returns the directory that contains them. */
    public static Path make(Mutant mutant, Path directory) throws IOException {
        Path sources = root().resolve("core/src/main");
        Map<String, String> changed = new LinkedHashMap<>();
        for (Mutant.Edit edit : mutant.edits()) {
            String file = find(sources, edit.file());
            String text = changed.get(file);
            changed.put(file, edit.apply(text == null ? Files.readString(sources.resolve(file)) : text));
        }
        Path classes = Files.createDirectories(directory.resolve("classes"));
        List<String> toCompile = new ArrayList<>();
        for (Map.Entry<String, String> file : changed.entrySet()) {
            boolean java = file.getKey().startsWith("java/");
            Path target = (java ? directory.resolve("sources") : classes)
                    .resolve(file.getKey().substring(file.getKey().indexOf('/') + 1));
            Files.createDirectories(target.getParent());
            Files.writeString(target, file.getValue());
            if (java) {
                toCompile.add(target.toString());
            }
        }
        if (!toCompile.isEmpty()) {
            compile(toCompile, classes);
        }
        return classes;
    }

    /** Returns the path, below the sources, of the only file with this name. */
    private static String find(Path sources, String name) throws IOException {
        try (Stream<Path> files = Files.walk(sources)) {
            List<Path> found = files.filter(file -> file.endsWith(name))
                    .map(sources::relativize)
                    .toList();
            if (found.size() != 1) {
                throw new IllegalStateException(found.size() + " files of the core are named " + name + ": " + found);
            }
            return found.get(0).toString();
        }
    }

    private static void compile(List<String> files, Path classes) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        if (compiler == null) {
            throw new IllegalStateException("a JDK is needed: this Java has no compiler");
        }
        StringWriter complaints = new StringWriter();
        List<String> options =
                List.of("-proc:none", "-nowarn", "-d", classes.toString(), "-classpath", ClassPath.own());
        try (var manager = compiler.getStandardFileManager(null, null, null)) {
            if (!compiler.getTask(
                            complaints, manager, null, options, null, manager.getJavaFileObjectsFromStrings(files))
                    .call()) {
                throw new IllegalStateException("the changed core does not compile: " + complaints);
            }
        }
    }

    /** Returns the root of the repository, which contains the core's sources. */
    private static Path root() {
        String root = System.getProperty("leasehold.root");
        if (root == null) {
            throw new IllegalStateException("the property leasehold.root does not name the root of the repository");
        }
        return Path.of(root);
    }
}
