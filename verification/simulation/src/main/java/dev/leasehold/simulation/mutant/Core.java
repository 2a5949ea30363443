package dev.leasehold.simulation.mutant;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/**
 * The core with some of its sources and resources changed, and the simulation, in a class loader of their own.
 * Unchanged classes are those that the build has compiled. Lua's natives belong to the outer class loader, which
 * loads them once.
 */
public final class Core implements AutoCloseable {

    private static final String OURS = "dev.leasehold.";

    private final Path directory;
    private final URLClassLoader loader;

    private Core(Path directory, URLClassLoader loader) {
        this.directory = directory;
        this.loader = loader;
    }

    /** Compiles the core with these changes. */
    public static Core with(List<Edit> edits) throws IOException {
        Map<String, String> changed = changed(edits);
        Path directory = Files.createTempDirectory("leasehold-core-");
        List<String> toCompile = new ArrayList<>();
        for (Map.Entry<String, String> file : changed.entrySet()) {
            boolean java = file.getKey().startsWith("java/");
            String below = file.getKey().substring(file.getKey().indexOf('/') + 1);
            Path target = directory.resolve(java ? "sources" : "classes").resolve(below);
            Files.createDirectories(target.getParent());
            Files.writeString(target, file.getValue());
            if (java) {
                toCompile.add(target.toString());
            }
        }
        Path classes = Files.createDirectories(directory.resolve("classes"));
        if (!toCompile.isEmpty()) {
            compile(toCompile, classes);
        }
        return new Core(directory, new ChildFirst(urls(classes)));
    }

    /** Returns the texts of the files that these edits change; refuses an edit that is out of date. */
    static Map<String, String> changed(List<Edit> edits) throws IOException {
        Map<String, String> changed = new LinkedHashMap<>();
        Path sources = root().resolve("core/src/main");
        for (Edit edit : edits) {
            String file = find(sources, edit.file());
            String text = changed.get(file);
            changed.put(file, edit.apply(text == null ? Files.readString(sources.resolve(file)) : text));
        }
        return changed;
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

    private static void compile(List<String> files, Path classes) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        if (compiler == null) {
            throw new IllegalStateException("a JDK is needed: this Java has no compiler");
        }
        StringWriter complaints = new StringWriter();
        List<String> options = List.of("-proc:none", "-nowarn", "-d", classes.toString(), "-classpath", classPath());
        try (var manager = compiler.getStandardFileManager(null, null, null)) {
            boolean well = compiler.getTask(
                            complaints, manager, null, options, null, manager.getJavaFileObjectsFromStrings(files))
                    .call();
            if (!well) {
                throw new IllegalStateException("the changed core does not compile: " + complaints);
            }
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
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

    /** Returns the class path. Surefire hides it in a manifest, and provides it in a property of its own. */
    private static String classPath() {
        String hidden = System.getProperty("surefire.test.class.path");
        return hidden != null ? hidden : System.getProperty("java.class.path");
    }

    private static URL[] urls(Path first) throws MalformedURLException {
        List<URL> urls = new ArrayList<>();
        urls.add(first.toUri().toURL());
        for (String entry : classPath().split(File.pathSeparator, -1)) {
            if (!entry.isEmpty()) {
                urls.add(Path.of(entry).toUri().toURL());
            }
        }
        return urls.toArray(new URL[0]);
    }

    /** Returns a function that runs one seed and returns its violation, or null. */
    @SuppressWarnings("unchecked")
    public LongFunction<@Nullable String> seeds() {
        return (LongFunction<@Nullable String>) make("SeedRunner");
    }

    /** Returns a function that runs one seed and returns the lines of its trace. */
    @SuppressWarnings("unchecked")
    public LongFunction<List<String>> traces() {
        return (LongFunction<List<String>>) make("TraceRunner");
    }

    /** Returns a function that searches; see {@code SearchRun}. */
    @SuppressWarnings("unchecked")
    public ToLongFunction<long[]> searches() {
        return (ToLongFunction<long[]>) make("SearchRun");
    }

    /** Returns a function that runs many; see {@code CampaignRun}. */
    @SuppressWarnings("unchecked")
    public Function<long[], List<String>> campaign() {
        return (Function<long[], List<String>>) make("CampaignRun");
    }

    /** Returns a function that runs a command line. */
    @SuppressWarnings("unchecked")
    public ToIntFunction<String[]> commands() {
        return (ToIntFunction<String[]>) make("Commands");
    }

    private Object make(String className) {
        try {
            return loader.loadClass(OURS + "simulation." + className)
                    .getConstructor()
                    .newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(className + " cannot be created", e);
        }
    }

    @Override
    public void close() throws IOException {
        loader.close();
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    /** Searches for Leasehold's own classes and resources itself before its parent. */
    private static final class ChildFirst extends URLClassLoader {
        ChildFirst(URL[] urls) {
            super(urls, Core.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith(OURS)) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                return loaded != null ? loaded : findClass(name);
            }
        }

        @Override
        public @Nullable URL getResource(String name) {
            URL own = findResource(name);
            return own != null ? own : super.getResource(name);
        }
    }
}
