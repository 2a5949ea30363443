package dev.leasehold.architecture;

import com.sun.source.doctree.DocCommentTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/** Finds visible elements without a comment. Only parses, so it needs no class path. */
final class MissingComments extends TreePathScanner<@Nullable Void, @Nullable Void> {
    private final DocTrees trees;
    private final List<String> found = new ArrayList<>();

    private MissingComments(DocTrees trees) {
        this.trees = trees;
    }

    static List<String> in(Collection<Path> sources) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            return in(files.getJavaFileObjectsFromPaths(sources));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<String> in(Iterable<? extends JavaFileObject> sources) throws IOException {
        JavacTask task =
                (JavacTask) ToolProvider.getSystemJavaCompiler().getTask(null, null, null, null, null, sources);
        MissingComments missing = new MissingComments(DocTrees.instance(task));
        for (CompilationUnitTree unit : task.parse()) {
            missing.scan(unit, null);
        }
        return missing.found;
    }

    @Override
    public @Nullable Void visitClass(ClassTree type, @Nullable Void unused) {
        if (isOpen(type.getModifiers())) {
            check(type, type.getSimpleName().toString());
            super.visitClass(type, unused);
        }
        return null;
    }

    @Override
    public @Nullable Void visitMethod(MethodTree method, @Nullable Void unused) {
        boolean inherited = method.getModifiers().getAnnotations().stream()
                .anyMatch(
                        annotation -> annotation.getAnnotationType().toString().equals("Override"));
        if (isOpen(method.getModifiers()) && !inherited && !isOfRecord(method)) {
            check(method, method.getName().toString());
        }
        return null;
    }

    /**
     * Returns whether it belongs to a record, which describes its components, and so the parameters of its
     * constructor, in its own comment.
     */
    private boolean isOfRecord(MethodTree method) {
        return owner().getKind() == Tree.Kind.RECORD && method.getReturnType() == null;
    }

    @Override
    public @Nullable Void visitVariable(VariableTree field, @Nullable Void unused) {
        if (isOpen(field.getModifiers()) && !(owner().getKind() == Tree.Kind.RECORD && !isStatic(field))) {
            check(field, field.getName().toString());
        }
        return null;
    }

    private static boolean isStatic(VariableTree field) {
        return field.getModifiers().getFlags().contains(Modifier.STATIC);
    }

    private boolean isOpen(ModifiersTree modifiers) {
        Set<Modifier> flags = modifiers.getFlags();
        boolean implied = owner().getKind() == Tree.Kind.INTERFACE || owner().getKind() == Tree.Kind.ANNOTATION_TYPE;
        return flags.contains(Modifier.PUBLIC)
                || flags.contains(Modifier.PROTECTED)
                || implied && !flags.contains(Modifier.PRIVATE);
    }

    private Tree owner() {
        TreePath parent = getCurrentPath().getParentPath();
        return parent.getLeaf();
    }

    private void check(Tree tree, String name) {
        DocCommentTree comment = trees.getDocCommentTree(getCurrentPath());
        if (comment == null
                || comment.getFullBody().isEmpty() && comment.getBlockTags().isEmpty()) {
            CompilationUnitTree unit = getCurrentPath().getCompilationUnit();
            long line =
                    unit.getLineMap().getLineNumber(trees.getSourcePositions().getStartPosition(unit, tree));
            found.add(unit.getSourceFile().getName() + ":" + line + ": " + name + " has no comment");
        }
    }
}
