package dev.leasehold.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** No monitors in core and adapters: they pin virtual threads up to JDK 23, and cannot be given up. */
final class MonitorRules {
    private MonitorRules() {}

    static List<Rule> all() {
        return List.of(new Rule(
                "nosynchronized",
                "core and adapters use neither synchronized methods nor synchronized blocks",
                Unit::engine,
                (unit, codeBase) -> monitors(unit.javaClass())));
    }

    private static Stream<String> monitors(JavaClass c) {
        URI classFile = c.getSource().orElseThrow().getUri();
        try (InputStream in = classFile.toURL().openStream()) {
            Scan scan = new Scan(c.getName());
            new ClassReader(in).accept(scan, ClassReader.SKIP_FRAMES);
            return scan.found.stream();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + classFile, e);
        }
    }

    private static final class Scan extends ClassVisitor {
        final List<String> found = new ArrayList<>();
        private final String className;

        Scan(String className) {
            super(Opcodes.ASM9);
            this.className = className;
        }

        @Override
        public MethodVisitor visitMethod(
                int access, String name, String descriptor, String signature, String[] exceptions) {
            String method = className + "." + name;
            if ((access & Opcodes.ACC_SYNCHRONIZED) != 0) {
                found.add(method + " is synchronized");
            }
            return new MethodVisitor(Opcodes.ASM9) {
                private int line;

                @Override
                public void visitLineNumber(int number, Label start) {
                    line = number;
                }

                @Override
                public void visitInsn(int opcode) {
                    if (opcode == Opcodes.MONITORENTER) {
                        found.add(method + " has a synchronized block in line " + line);
                    }
                }
            };
        }
    }
}
