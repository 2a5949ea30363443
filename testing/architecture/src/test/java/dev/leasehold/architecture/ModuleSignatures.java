package dev.leasehold.architecture;

import com.tngtech.archunit.core.domain.JavaModifier;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The promise of one published module: its descriptor, and the signatures of its exported packages. */
final class ModuleSignatures {
    private ModuleSignatures() {}

    static List<String> of(String module, CodeBase codeBase) {
        Optional<ModuleDescriptor> descriptor = descriptor(module);
        Set<String> exported = descriptor
                .map(d -> d.exports().stream()
                        .filter(e -> !e.isQualified())
                        .map(ModuleDescriptor.Exports::source)
                        .collect(Collectors.toSet()))
                .orElse(Set.of());
        Signatures signatures = new Signatures(c -> c.getName().startsWith("dev.leasehold.")
                && (descriptor.isPresent()
                        ? exported.contains(c.getPackageName())
                        : !Unit.isInternal(c.getPackageName())));
        List<String> lines = new ArrayList<>();
        lines.add("# What users of " + module + " can see. Written and compared by the build; see CONTRIBUTING.md.");
        descriptor.ifPresent(d -> {
            lines.add("");
            lines.addAll(describe(d));
        });
        codeBase.units()
                .filter(unit -> unit.main() && unit.module().equals(module))
                // What cannot be visible is not loaded: it may need libraries that this module does not have.
                .filter(unit -> unit.javaClass().getModifiers().contains(JavaModifier.PUBLIC))
                .filter(unit -> descriptor.isPresent() || !unit.internal())
                .map(unit -> load(unit.name()))
                .filter(c -> !c.getSimpleName().equals("package-info"))
                .filter(signatures::isVisible)
                .forEach(c -> {
                    lines.add("");
                    lines.addAll(signatures.of(c));
                });
        return lines;
    }

    private static Class<?> load(String name) {
        try {
            return Class.forName(name, false, ModuleSignatures.class.getClassLoader());
        } catch (ClassNotFoundException | LinkageError e) {
            throw new IllegalStateException(
                    "cannot load " + name + ": is its module, and what it needs, a dependency of this one?", e);
        }
    }

    private static Optional<ModuleDescriptor> descriptor(String module) {
        Path file = Repository.folder(module).resolve("target/classes/module-info.class");
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try (InputStream in = Files.newInputStream(file)) {
            return Optional.of(ModuleDescriptor.read(in));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }

    private static List<String> describe(ModuleDescriptor d) {
        Set<String> lines = new TreeSet<>();
        d.exports().forEach(e -> lines.add("    exports " + e.source() + to(e.targets())));
        d.opens().forEach(o -> lines.add("    opens " + o.source() + to(o.targets())));
        d.uses().forEach(service -> lines.add("    uses " + service));
        d.provides()
                .forEach(p -> lines.add("    provides " + p.service() + " with " + String.join(", ", p.providers())));
        // Without versions, which the compiler adds from the jars it happened to see.
        d.requires().stream()
                .filter(r -> r.modifiers().stream().noneMatch(m -> m == ModuleDescriptor.Requires.Modifier.MANDATED))
                .forEach(r -> lines.add("    requires " + modifiers(r) + r.name()));
        return Stream.concat(Stream.of("module " + d.name()), lines.stream()).toList();
    }

    private static String modifiers(ModuleDescriptor.Requires requires) {
        return requires.modifiers().stream()
                .map(modifier -> modifier.name().toLowerCase(java.util.Locale.ROOT) + " ")
                .sorted()
                .collect(Collectors.joining());
    }

    private static String to(Set<String> targets) {
        return targets.isEmpty() ? "" : " to " + String.join(", ", new TreeSet<>(targets));
    }
}
