package dev.leasehold.architecture;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Writes the visible signatures of a class, in an order that does not depend on the compiler. */
final class Signatures {
    private static final int CLASS_MODIFIERS = Modifier.PUBLIC | Modifier.PROTECTED | Modifier.STATIC;

    private final Predicate<Class<?>> exported;

    /**
     * Prepares for one module.
     *
     * @param exported whether users can see a class that is public; they inherit from other classes without seeing
     *     them
     */
    Signatures(Predicate<Class<?>> exported) {
        this.exported = exported;
    }

    boolean isVisible(Class<?> c) {
        boolean open = Modifier.isPublic(c.getModifiers())
                || Modifier.isProtected(c.getModifiers()) && !isFinal(c.getEnclosingClass());
        return open
                && exported.test(c)
                && (c.getEnclosingClass() == null || isVisible(c.getEnclosingClass()))
                && !c.isSynthetic();
    }

    List<String> of(Class<?> c) {
        List<String> lines = new ArrayList<>();
        lines.add(header(c));
        List<Class<?>> sources = sources(c);
        lines.addAll(sorted(sources.stream().flatMap(s -> Arrays.stream(s.getDeclaredFields())), c, Signatures::field));
        lines.addAll(sorted(Arrays.stream(c.getDeclaredConstructors()), c, this::constructor));
        lines.addAll(sorted(
                sources.stream()
                        .flatMap(s -> Arrays.stream(s.getDeclaredMethods()))
                        .filter(m -> !isImplied(m)),
                c,
                Signatures::method));
        return lines;
    }

    /** Returns the class and its superclasses that users cannot see, whose public members are therefore its own. */
    private List<Class<?>> sources(Class<?> c) {
        List<Class<?>> sources = new ArrayList<>(List.of(c));
        Class<?> parent = c.getSuperclass();
        while (parent != null && !parent.getName().startsWith("java.") && !isVisible(parent)) {
            sources.add(parent);
            parent = parent.getSuperclass();
        }
        return sources;
    }

    private static <M extends Member> List<String> sorted(
            Stream<M> members, Class<?> owner, java.util.function.Function<M, String> text) {
        return members.filter(member -> isReachable(member, owner))
                .sorted(Comparator.comparing(Member::getName))
                .map(member -> "    " + deprecated((AnnotatedElement) member) + text.apply(member))
                .distinct()
                .collect(Collectors.collectingAndThen(Collectors.toList(), Signatures::byNameThenText));
    }

    private static List<String> byNameThenText(List<String> lines) {
        return lines.stream()
                .sorted(Comparator.comparing(Signatures::nameOf).thenComparing(line -> line))
                .toList();
    }

    private static String nameOf(String line) {
        String declared = line.contains("(") ? line.substring(0, line.indexOf('(')) : line;
        return declared.substring(declared.lastIndexOf(' ') + 1);
    }

    private static boolean isReachable(Member member, Class<?> owner) {
        int modifiers = member.getModifiers();
        return !member.isSynthetic()
                && (Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers) && !isFinal(owner));
    }

    private static boolean isFinal(Class<?> c) {
        return Modifier.isFinal(c.getModifiers());
    }

    /** Returns whether every object, every enum or every record has the method by definition. */
    private static boolean isImplied(Method method) {
        Class<?> owner = method.getDeclaringClass();
        boolean plain = method.getParameterCount() == 0;
        if (plain && (method.getName().equals("toString") || method.getName().equals("hashCode"))
                || method.getName().equals("equals")
                        && Arrays.equals(method.getParameterTypes(), new Class<?>[] {Object.class})) {
            return true;
        }
        if (owner.isEnum()) {
            return method.getName().equals("values") && plain
                    || method.getName().equals("valueOf")
                            && Arrays.equals(method.getParameterTypes(), new Class<?>[] {String.class});
        }
        return owner.isRecord()
                && plain
                && Arrays.stream(owner.getRecordComponents())
                        .anyMatch(part -> part.getName().equals(method.getName()));
    }

    private String header(Class<?> c) {
        StringBuilder text = new StringBuilder(deprecated(c)).append(modifiers(c));
        text.append(kind(c)).append(' ').append(TypeText.name(c)).append(TypeText.parameters(c.getTypeParameters()));
        if (c.isRecord()) {
            text.append(Arrays.stream(c.getRecordComponents())
                    .map(Signatures::component)
                    .collect(Collectors.joining(", ", "(", ")")));
        }
        AnnotatedType parent = c.getAnnotatedSuperclass();
        if (parent != null && !c.isEnum() && !c.isRecord() && parent.getType() != Object.class) {
            text.append(" extends ").append(TypeText.of(parent));
        }
        String faces = Arrays.stream(c.getAnnotatedInterfaces())
                .map(TypeText::of)
                .sorted()
                .collect(Collectors.joining(", "));
        if (!faces.isEmpty() && !c.isAnnotation()) {
            text.append(c.isInterface() ? " extends " : " implements ").append(faces);
        }
        return text.append(permits(c)).toString();
    }

    private String permits(Class<?> c) {
        if (!c.isSealed() || c.isEnum()) {
            return "";
        }
        String seen = Arrays.stream(c.getPermittedSubclasses())
                .filter(this::isVisible)
                .map(TypeText::name)
                .sorted()
                .collect(Collectors.joining(", "));
        return seen.isEmpty() ? "" : " permits " + seen;
    }

    private static String modifiers(Class<?> c) {
        String text = Modifier.toString(c.getModifiers() & CLASS_MODIFIERS) + " ";
        boolean plain = !c.isInterface() && !c.isEnum() && !c.isRecord();
        if (plain && Modifier.isAbstract(c.getModifiers())) {
            text += "abstract ";
        }
        if (plain && isFinal(c)) {
            text += "final ";
        }
        return c.isSealed() && !c.isEnum() ? text + "sealed " : text;
    }

    private static String kind(Class<?> c) {
        if (c.isAnnotation()) {
            return "@interface";
        }
        if (c.isInterface()) {
            return c.isAnnotationPresent(FunctionalInterface.class) ? "functional interface" : "interface";
        }
        return c.isEnum() ? "enum" : c.isRecord() ? "record" : "class";
    }

    private static String component(RecordComponent component) {
        return TypeText.of(component.getAnnotatedType()) + " " + component.getName();
    }

    private static String field(Field field) {
        if (field.isEnumConstant()) {
            return "enum constant " + field.getName();
        }
        return modifiers(field) + TypeText.of(field.getAnnotatedType()) + " " + field.getName();
    }

    private String constructor(Constructor<?> constructor) {
        return modifiers(constructor) + constructor.getDeclaringClass().getSimpleName() + arguments(constructor);
    }

    private static String method(Method method) {
        String parameters = TypeText.parameters(method.getTypeParameters());
        String result = TypeText.of(method.getAnnotatedReturnType());
        String value = method.getDefaultValue() == null ? "" : " default " + shown(method.getDefaultValue());
        return modifiers(method)
                + (method.isDefault() ? "default " : "")
                + (parameters.isEmpty() ? "" : parameters + " ")
                + result
                + " "
                + method.getName()
                + arguments(method)
                + value;
    }

    private static String shown(Object value) {
        return value instanceof Object[] several ? Arrays.toString(several) : value.toString();
    }

    private static String arguments(Executable executable) {
        String thrown = TypeText.join(executable.getAnnotatedExceptionTypes());
        return "(" + TypeText.join(executable.getAnnotatedParameterTypes()) + ")"
                + (thrown.isEmpty() ? "" : " throws " + thrown);
    }

    private static String modifiers(Member member) {
        int shown = Modifier.PUBLIC | Modifier.PROTECTED | Modifier.STATIC | Modifier.FINAL | Modifier.ABSTRACT;
        if (member.getDeclaringClass().isInterface()) {
            shown = Modifier.STATIC;
        } else if (isFinal(member.getDeclaringClass()) && member instanceof Method) {
            shown &= ~Modifier.FINAL;
        }
        String text = Modifier.toString(member.getModifiers() & shown);
        return text.isEmpty() ? "" : text + " ";
    }

    private static String deprecated(AnnotatedElement element) {
        return element.isAnnotationPresent(Deprecated.class) ? "@Deprecated " : "";
    }
}
