package dev.leasehold.spring;

import dev.leasehold.annotation.Lock;
import dev.leasehold.annotation.LockedMethod;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.asm.ClassReader;
import org.springframework.asm.ClassVisitor;
import org.springframework.asm.Handle;
import org.springframework.asm.Label;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.SpringAsmInfo;
import org.springframework.asm.Type;
import org.springframework.core.BridgeMethodResolver;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Finds calls by {@code this} of methods with {@link Lock}: no proxy intercepts them, so they acquire no lock. It reads
 * the class files of the bean's class, of its superclasses and their inner classes, and of interfaces with default methods. It
 * reports only certain cases: a call through a field or a variable of the same type may go through the bean, and a static method
 * does not know whom it got.
 */
final class SelfCalls extends ClassVisitor {

    private static final String OUTER_INSTANCE = "this$";

    private final Map<String, Set<String>> locked = new HashMap<>();
    private final String shown;
    private final Set<String> problems = new LinkedHashSet<>();
    private final Set<String> methodsOfClasses = new HashSet<>();
    private final Deque<String> innerClasses = new ArrayDeque<>();
    private final Set<String> read = new HashSet<>();

    /** The class of the bean, or one above it, whose file or inner class is being read. */
    private String outer = "";

    private String current = "";
    private boolean isInterface;

    private SelfCalls(Class<?> type, Collection<Method> methods) {
        super(SpringAsmInfo.ASM_VERSION);
        this.shown = type.getSimpleName();
        for (Method method : methods) {
            Lock lock = LockedMethods.annotation(method, type);
            if (lock != null) {
                locked.put(signature(method), Set.copyOf(LockedMethod.names(lock)));
            }
        }
        // Whoever knows the method by another return type or by type parameters calls the bridge.
        ReflectionUtils.doWithMethods(
                type,
                bridge -> {
                    Set<String> names = locked.get(signature(BridgeMethodResolver.findBridgedMethod(bridge)));
                    if (names != null) {
                        locked.put(signature(bridge), names);
                    }
                },
                Method::isBridge);
    }

    private static String signature(Method method) {
        return method.getName() + Type.getMethodDescriptor(method);
    }

    static Collection<String> of(Class<?> type, Collection<Method> methods) {
        SelfCalls calls = new SelfCalls(type, methods);
        for (Class<?> c = type; c != null && c != Object.class; c = c.getSuperclass()) {
            calls.readWithInnerClasses(c);
        }
        ClassUtils.getAllInterfacesForClassAsSet(type).forEach(calls::readWithInnerClasses);
        return calls.problems;
    }

    private void readWithInnerClasses(Class<?> c) {
        outer = Type.getInternalName(c);
        read(c, outer);
        while (!innerClasses.isEmpty()) {
            read(c, innerClasses.remove());
        }
    }

    private void read(Class<?> c, String name) {
        if (!read.add(name)) {
            return;
        }
        current = name;
        try (InputStream file = c.getResourceAsStream("/" + name + ClassUtils.CLASS_FILE_SUFFIX)) {
            if (file != null) {
                new ClassReader(file).accept(this, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
            }
        } catch (IOException | RuntimeException e) {
            // A class without a class file, as in a native image, or newer than Spring's reader, is not checked.
            return;
        }
    }

    @Override
    public void visit(
            int version,
            int access,
            String name,
            @Nullable String signature,
            @Nullable String superName,
            String @Nullable [] interfaces) {
        isInterface = (access & Opcodes.ACC_INTERFACE) != 0;
    }

    @Override
    public void visitInnerClass(String name, @Nullable String outerName, @Nullable String innerName, int access) {
        if (name.startsWith(current + "$")) {
            innerClasses.add(name);
        }
    }

    @Override
    public @Nullable MethodVisitor visitMethod(
            int access, String name, String descriptor, @Nullable String signature, String @Nullable [] exceptions) {
        boolean isBridge = (access & Opcodes.ACC_BRIDGE) != 0;
        if (isBridge || isOverriddenDefault(name + descriptor)) {
            return null;
        }
        boolean isStatic = (access & Modifier.STATIC) != 0;
        return new Body(name, descriptor, !isStatic && current.equals(outer));
    }

    private boolean isOverriddenDefault(String signature) {
        return current.equals(outer) && !methodsOfClasses.add(signature) && isInterface;
    }

    /** Reports a call, unless the caller already holds the same locks. */
    private void called(String caller, String callersDescriptor, String name, String descriptor) {
        Set<String> needed = locked.get(name + descriptor);
        Set<String> held = current.equals(outer) ? locked.getOrDefault(caller + callersDescriptor, Set.of()) : Set.of();
        if (needed != null && !held.containsAll(needed)) {
            String from = caller.startsWith("lambda$") ? caller.split("\\$", -1)[1] : caller;
            problems.add(shown + current.substring(outer.length()) + "." + from + " calls " + name
                    + " by 'this', which no proxy intercepts: it would run without its lock. Move one of them to another bean,"
                    + " or call it through the bean");
        }
    }

    /**
     * Tracks which stack entries are certainly {@code this}. An instruction that it does not track clears the stack.
     */
    private final class Body extends MethodVisitor {

        private static final int ALOAD = 25;
        private static final int GETSTATIC = 178;
        private static final int GETFIELD = 180;
        private static final int INVOKESTATIC = 184;

        private final String name;
        private final String descriptor;
        /** Whether the first variable is the bean. */
        private final boolean hasThis;
        /** One entry for each value on the stack: true for {@code this}. */
        private final List<Boolean> stack = new ArrayList<>();

        Body(String name, String descriptor, boolean hasThis) {
            super(SpringAsmInfo.ASM_VERSION);
            this.name = name;
            this.descriptor = descriptor;
            this.hasThis = hasThis;
        }

        @Override
        public void visitVarInsn(int opcode, int variable) {
            if (opcode >= 21 && opcode <= ALOAD) {
                stack.add(opcode == ALOAD && variable == 0 && hasThis);
            } else {
                stack.clear();
            }
        }

        @Override
        public void visitInsn(int opcode) {
            boolean constant = opcode >= 1 && opcode <= 15;
            if (constant) {
                stack.add(false);
            } else {
                stack.clear();
            }
        }

        @Override
        public void visitIntInsn(int opcode, int operand) {
            boolean push = opcode == 16 || opcode == 17;
            if (push) {
                stack.add(false);
            } else {
                stack.clear();
            }
        }

        @Override
        public void visitLdcInsn(Object value) {
            stack.add(false);
        }

        /** Clears the stack where branches meet. */
        @Override
        public void visitLabel(Label label) {
            stack.clear();
        }

        @Override
        public void visitTypeInsn(int opcode, String type) {
            stack.clear();
        }

        @Override
        public void visitJumpInsn(int opcode, Label label) {
            stack.clear();
        }

        @Override
        public void visitIincInsn(int variable, int increment) {
            stack.clear();
        }

        @Override
        public void visitFieldInsn(int opcode, String owner, String field, String type) {
            if (opcode == GETSTATIC) {
                stack.add(false);
            } else if (opcode == GETFIELD && !stack.isEmpty()) {
                boolean isBean = field.startsWith(OUTER_INSTANCE) && type.equals("L" + outer + ";");
                stack.set(stack.size() - 1, isBean);
            } else {
                stack.clear();
            }
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String method, String type, boolean ofInterface) {
            int arguments = Type.getArgumentTypes(type).length;
            int receiver = stack.size() - arguments - 1;
            if (opcode != INVOKESTATIC && receiver >= 0 && stack.get(receiver)) {
                called(name, descriptor, method, type);
            }
            pop(arguments + (opcode == INVOKESTATIC ? 0 : 1));
            if (!Type.getReturnType(type).equals(Type.VOID_TYPE)) {
                stack.add(false);
            }
        }

        /** Handles {@code this::method}. The body of a lambda is a method of its own. */
        @Override
        public void visitInvokeDynamicInsn(String ignored, String type, Handle bootstrap, Object... arguments) {
            int captured = Type.getArgumentTypes(type).length;
            int first = stack.size() - captured;
            if (captured > 0 && first >= 0 && stack.get(first)) {
                for (Object argument : arguments) {
                    if (argument instanceof Handle handle) {
                        called(name, descriptor, handle.getName(), handle.getDesc());
                    }
                }
            }
            pop(captured);
            stack.add(false);
        }

        private void pop(int number) {
            if (number > stack.size()) {
                stack.clear();
            } else {
                stack.subList(stack.size() - number, stack.size()).clear();
            }
        }

        @Override
        public void visitTableSwitchInsn(int min, int max, Label other, Label... labels) {
            stack.clear();
        }

        @Override
        public void visitLookupSwitchInsn(Label other, int[] keys, Label[] labels) {
            stack.clear();
        }

        @Override
        public void visitMultiANewArrayInsn(String type, int dimensions) {
            stack.clear();
        }
    }
}
