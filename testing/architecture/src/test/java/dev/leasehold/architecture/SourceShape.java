package dev.leasehold.architecture;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LineMap;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** The lengths of classes and methods, measured on their sources by the compiler's own parser. */
final class SourceShape {

    /** One source file, with its length in lines and that of each method, from its first modifier to its last brace. */
    record File(String name, String packageName, int lines, Map<String, Integer> methods) {}

    private SourceShape() {}

    /** Measures sources, given by file name. */
    static List<File> of(Map<String, String> sources) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<JavaFileObject> files = new ArrayList<>();
        sources.forEach((name, text) -> files.add(new Text(name, text)));
        JavacTask task = (JavacTask) compiler.getTask(null, null, null, List.of("-proc:none"), null, files);
        SourcePositions positions = Trees.instance(task).getSourcePositions();
        List<File> shapes = new ArrayList<>();
        try {
            for (CompilationUnitTree unit : task.parse()) {
                String name = unit.getSourceFile().toUri().getPath().substring(1);
                shapes.add(measure(name, sources.get(name), unit, positions));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot parse", e);
        }
        return shapes;
    }

    private static File measure(String name, String text, CompilationUnitTree unit, SourcePositions positions) {
        Map<String, Integer> methods = new TreeMap<>();
        LineMap lines = unit.getLineMap();
        new TreeScanner<Void, Void>() {
            @Override
            public Void visitMethod(MethodTree method, Void none) {
                long from = lines.getLineNumber(positions.getStartPosition(unit, method));
                long to = lines.getLineNumber(positions.getEndPosition(unit, method));
                methods.merge(method.getName() + ":" + from, (int) (to - from + 1), Math::max);
                return super.visitMethod(method, none);
            }
        }.scan(unit, null);
        String packageName =
                unit.getPackageName() == null ? "" : unit.getPackageName().toString();
        return new File(name, packageName, (int) text.lines().count(), methods);
    }

    private static final class Text extends SimpleJavaFileObject {
        private final String text;

        Text(String name, String text) {
            super(URI.create("string:///" + name), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
