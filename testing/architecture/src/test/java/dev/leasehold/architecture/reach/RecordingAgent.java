package dev.leasehold.architecture.reach;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import java.util.List;
import java.util.jar.JarFile;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * A Java agent that records which classes, members, resources and proxies a program asks for by name, as GraalVM's tracing agent
 * does, on any JDK. The argument is the jar with {@link Recorder}, a comma, and the file that gets the calls when the JVM ends.
 */
public final class RecordingAgent {
    private static final String RECORDER = "dev/leasehold/architecture/reach/Recorder";
    private static final List<Class<?>> INSTRUMENTED = List.of(
            Class.class,
            ClassLoader.class,
            Proxy.class,
            Method.class,
            Constructor.class,
            Field.class,
            MethodHandles.Lookup.class);

    private RecordingAgent() {}

    /** Called by the JVM before the program's main method. */
    public static void premain(String argument, Instrumentation instrumentation)
            throws IOException, UnmodifiableClassException {
        String[] files = argument.split(",");
        instrumentation.appendToBootstrapClassLoaderSearch(new JarFile(files[0]));
        Path calls = Path.of(files[1]);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            try {
                Recorder.write(calls);
            } catch (IOException e) {
                throw new UncheckedIOException("cannot write " + calls, e);
            }
        }));
        instrumentation.addTransformer(new Transformer(), true);
        instrumentation.retransformClasses(INSTRUMENTED.toArray(Class<?>[]::new));
    }

    private static final class Transformer implements ClassFileTransformer {
        @Override
        public byte[] transform(
                Module module,
                ClassLoader loader,
                String name,
                Class<?> redefined,
                ProtectionDomain domain,
                byte[] classFile) {
            return redefined != null && INSTRUMENTED.contains(redefined)
                    ? instrument(redefined.getSimpleName(), classFile)
                    : null;
        }
    }

    private static byte[] instrument(String type, byte[] classFile) {
        ClassReader reader = new ClassReader(classFile);
        ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
        reader.accept(
                new ClassVisitor(Opcodes.ASM9, writer) {
                    @Override
                    public MethodVisitor visitMethod(
                            int access, String name, String descriptor, String signature, String[] exceptions) {
                        MethodVisitor method = super.visitMethod(access, name, descriptor, signature, exceptions);
                        String called = type + "." + name;
                        boolean open = (access & Opcodes.ACC_PUBLIC) != 0 && (access & Opcodes.ACC_NATIVE) == 0;
                        return open && ReflectiveMethods.isRecorded(called)
                                ? new Reporting(method, called, (access & Opcodes.ACC_STATIC) != 0, descriptor)
                                : method;
                    }
                },
                0);
        return writer.toByteArray();
    }

    /** Reports a call before the method's own code: its name, the receiver, and the arguments that are objects. */
    private static final class Reporting extends MethodVisitor {
        private final String called;
        private final boolean isStatic;
        private final Type[] parameters;

        Reporting(MethodVisitor method, String called, boolean isStatic, String descriptor) {
            super(Opcodes.ASM9, method);
            this.called = called;
            this.isStatic = isStatic;
            this.parameters = Type.getArgumentTypes(descriptor);
        }

        @Override
        public void visitCode() {
            super.visitCode();
            visitLdcInsn(called);
            if (isStatic) {
                visitInsn(Opcodes.ACONST_NULL);
            } else {
                visitVarInsn(Opcodes.ALOAD, 0);
            }
            visitIntInsn(Opcodes.BIPUSH, parameters.length);
            visitTypeInsn(Opcodes.ANEWARRAY, "java/lang/Object");
            int slot = isStatic ? 0 : 1;
            for (int i = 0; i < parameters.length; i++) {
                if (parameters[i].getSort() >= Type.ARRAY) {
                    visitInsn(Opcodes.DUP);
                    visitIntInsn(Opcodes.BIPUSH, i);
                    visitVarInsn(Opcodes.ALOAD, slot);
                    visitInsn(Opcodes.AASTORE);
                }
                slot += parameters[i].getSize();
            }
            visitMethodInsn(
                    Opcodes.INVOKESTATIC,
                    RECORDER,
                    "called",
                    "(Ljava/lang/String;Ljava/lang/Object;[Ljava/lang/Object;)V",
                    false);
        }
    }
}
