package dev.leasehold.chaos.mutant;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/** The classes and scripts of the core that a mutant changes, to be put before those of the core on a class path. */
public final class ChangedClasses {

    private ChangedClasses() {}

    /** Makes them below this directory, and returns the directory that has them. */
    public static Path make(Mutant mutant, Path directory) throws IOException {
        Path sources = root().resolve("leasehold-core/src/main");
        Map<String, String> changed = new LinkedHashMap<>();
        for (Mutant.Edit edit : mutant.edits()) {
            String text = changed.get(edit.file());
            changed.put(edit.file(), edit.apply(text == null ? Files.readString(sources.resolve(edit.file())) : text));
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

    /** The root of the repository, where the core's sources are. */
    private static Path root() {
        String root = System.getProperty("leasehold.root");
        if (root == null) {
            throw new IllegalStateException("the property leasehold.root does not name the root of the repository");
        }
        return Path.of(root);
    }
}
