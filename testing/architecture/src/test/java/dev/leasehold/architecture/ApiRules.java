package dev.leasehold.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.core.domain.JavaTypeVariable;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Rules for visible signatures, for classes open to inheritance, and for what classes print of themselves. */
final class ApiRules {
    /** Public classes that are open on purpose. Add one only with the reason beside it. */
    private static final Set<String> OPEN_ON_PURPOSE = Set.of(
            "dev.leasehold.internal.wait.WakeableEntry",
            // Commands of the packages above it: naming them would close a cycle, and a second object costs every call.
            "dev.leasehold.internal.redis.path.PendingCommand",
            // Quarkus extends a recorder to see its calls.
            "dev.leasehold.quarkus.internal.LockRecorder");

    private static final Pattern SECRET = Pattern.compile("(?i).*(password|secret)|uris?|quorum");
    private static final Set<String> TEXTS = Set.of("java.lang.String", "java.util.List", "java.net.URI", "[C");

    private ApiRules() {}

    static List<Rule> all() {
        return List.of(
                new Rule(
                        "apihidesinternals",
                        "no public signature of an exported package names an internal type",
                        unit -> unit.main() && unit.published() && !unit.internal() && isPublic(unit.javaClass()),
                        (unit, codeBase) -> exposed(unit.javaClass())),
                new Rule(
                        "publicclassesarefinal",
                        "a public class is final, sealed, an interface, an enum, a record or an exception",
                        unit -> unit.main()
                                && unit.published()
                                && !unit.testing()
                                && unit.javaClass().getModifiers().contains(JavaModifier.PUBLIC),
                        (unit, codeBase) -> isClosed(unit.javaClass())
                                ? Stream.empty()
                                : Stream.of(unit.name() + " is public and can be extended by anyone")),
                new Rule(
                        "secretsarenotprinted",
                        "a record with a password, or with a URI, which may have one, has a toString() of its own",
                        unit -> unit.main()
                                && unit.published()
                                && unit.javaClass().isRecord(),
                        (unit, codeBase) -> printsSecret(unit.javaClass())
                                ? Stream.of(unit.name() + " prints all its components")
                                : Stream.empty()));
    }

    /** The method that the compiler adds is final. */
    private static boolean printsSecret(JavaClass record) {
        return record.getFields().stream()
                        .anyMatch(field -> SECRET.matcher(field.getName()).matches()
                                && TEXTS.contains(field.getRawType().getName()))
                && record.getMethod("toString").getModifiers().contains(JavaModifier.FINAL);
    }

    private static boolean isClosed(JavaClass c) {
        return c.isInterface()
                || c.isEnum()
                || c.isRecord()
                || c.getModifiers().contains(JavaModifier.FINAL)
                || c.isAssignableTo(Throwable.class)
                || c.reflect().isSealed()
                || OPEN_ON_PURPOSE.contains(c.getName());
    }

    /** Returns whether it is public itself and in public classes only. */
    private static boolean isPublic(JavaClass c) {
        return c.getModifiers().contains(JavaModifier.PUBLIC)
                && c.getEnclosingClass().map(ApiRules::isPublic).orElse(true);
    }

    private static Stream<String> exposed(JavaClass c) {
        Stream<String> header = Stream.concat(
                        Stream.concat(c.getSuperclass().stream(), c.getInterfaces().stream()),
                        c.getTypeParameters().stream())
                .flatMap(type -> internal(type).map(name -> c.getName() + " is declared with " + name));
        Stream<String> members = c.getMembers().stream()
                .filter(ApiRules::isVisible)
                .flatMap(member ->
                        types(member).flatMap(ApiRules::internal).map(name -> member.getFullName() + " names " + name));
        return Stream.concat(header, members);
    }

    private static boolean isVisible(JavaMember member) {
        Set<JavaModifier> modifiers = member.getModifiers();
        boolean reachable = modifiers.contains(JavaModifier.PUBLIC)
                || modifiers.contains(JavaModifier.PROTECTED)
                        && !member.getOwner().getModifiers().contains(JavaModifier.FINAL);
        return reachable && !modifiers.contains(JavaModifier.SYNTHETIC);
    }

    private static Stream<? extends JavaType> types(JavaMember member) {
        if (!(member instanceof JavaCodeUnit unit)) {
            return Stream.of(((com.tngtech.archunit.core.domain.JavaField) member).getType());
        }
        return Stream.of(
                        Stream.of(unit.getReturnType()),
                        unit.getParameterTypes().stream(),
                        unit.getExceptionTypes().stream(),
                        unit.getTypeParameters().stream())
                .flatMap(types -> types);
    }

    private static Stream<String> internal(JavaType type) {
        Stream<JavaClass> raw = type.getAllInvolvedRawTypes().stream();
        if (type instanceof JavaTypeVariable<?> variable) {
            raw = Stream.concat(
                    raw, variable.getUpperBounds().stream().flatMap(bound -> bound.getAllInvolvedRawTypes().stream()));
        }
        return raw.map(JavaClass::getBaseComponentType)
                .filter(c -> c.getPackageName().startsWith("dev.leasehold"))
                .filter(c -> Unit.isInternal(c.getPackageName()) || !isPublic(c))
                .map(JavaClass::getName)
                .distinct();
    }
}
