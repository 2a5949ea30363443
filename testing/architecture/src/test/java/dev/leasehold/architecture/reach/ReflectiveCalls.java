package dev.leasehold.architecture.reach;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Finds the calls of reflective methods in a class file, and what they reach if their arguments are constants. The constants of a
 * call are those that were loaded since the last statement that stored something or jumped.
 */
final class ReflectiveCalls extends ClassVisitor {

    /**
     * A call.
     *
     * @param place the class and method that contain it
     * @param called the method, such as {@code Class.forName}
     * @param access what it reaches, or empty if that is not a constant
     */
    record Call(String place, String called, Optional<Access> access) {}

    private final List<Call> found = new ArrayList<>();
    private String type = "";

    private ReflectiveCalls() {
        super(Opcodes.ASM9);
    }

    static List<Call> in(Path classFile) {
        ReflectiveCalls calls = new ReflectiveCalls();
        try {
            new ClassReader(Files.readAllBytes(classFile)).accept(calls, ClassReader.SKIP_FRAMES);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return calls.found;
    }

    @Override
    public void visit(int version, int access, String name, String signature, String parent, String[] interfaces) {
        type = name.replace('/', '.');
    }

    @Override
    public MethodVisitor visitMethod(
            int access, String name, String descriptor, String signature, String[] exceptions) {
        String place = type + "#" + name;
        if ((access & Opcodes.ACC_NATIVE) != 0) {
            found.add(new Call(place, "native", Optional.empty()));
        }
        return new Body(place);
    }

    private final class Body extends MethodVisitor {
        private final String place;
        private final List<String> types = new ArrayList<>();
        private final List<String> texts = new ArrayList<>();
        private boolean beginsWithVariable;

        Body(String place) {
            super(Opcodes.ASM9);
            this.place = place;
        }

        @Override
        public void visitLdcInsn(Object value) {
            if (value instanceof Type constant) {
                types.add(constant.getClassName());
            } else if (value instanceof String constant) {
                texts.add(constant);
            }
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
            String simple = owner.substring(Math.max(owner.lastIndexOf('/'), owner.lastIndexOf('$')) + 1);
            boolean own = name.equals("canLoad") && owner.startsWith("dev/leasehold/");
            String called = own ? "RedisTransportProvider.canLoad" : simple + "." + name;
            if ((own || owner.startsWith("java/")) && ReflectiveMethods.isScanned(called)) {
                found.add(new Call(place, called, reached(called)));
            }
            if (descriptor.endsWith(")V")) {
                forget();
            }
        }

        private Optional<Access> reached(String called) {
            Optional<String> type = last(types);
            Optional<String> text = last(texts);
            if (ReflectiveMethods.TYPES.contains(called)) {
                return text.map(name -> Access.type(name));
            }
            if (ReflectiveMethods.LISTS.contains(called)) {
                return type.map(name -> Access.type(name));
            }
            if (ReflectiveMethods.PROXIES.contains(called)) {
                return Optional.of(Access.proxy(""));
            }
            if (!ReflectiveMethods.MEMBERS.contains(called)) {
                return Optional.empty();
            }
            String member = called.endsWith("Constructor") ? "<init>" : text.orElse("");
            // The first class is the one with the member, unless a variable comes before; the others are parameters.
            String owner = types.isEmpty() || beginsWithVariable ? "" : types.get(0);
            boolean field = called.contains("Field") || called.contains("VarHandle") || called.contains("etter");
            if (member.isEmpty()) {
                return Optional.empty();
            }
            return Optional.of(field ? Access.field(owner, member) : Access.method(owner, member));
        }

        private static Optional<String> last(List<String> constants) {
            return constants.isEmpty() ? Optional.empty() : Optional.of(constants.get(constants.size() - 1));
        }

        private void forget() {
            types.clear();
            texts.clear();
            beginsWithVariable = false;
        }

        @Override
        public void visitVarInsn(int opcode, int slot) {
            if (opcode >= Opcodes.ISTORE) {
                forget();
            } else if (types.isEmpty()) {
                beginsWithVariable = true;
            }
        }

        @Override
        public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
            if (opcode == Opcodes.PUTFIELD || opcode == Opcodes.PUTSTATIC) {
                forget();
            }
        }

        @Override
        public void visitInsn(int opcode) {
            if (opcode == Opcodes.POP || opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN) {
                forget();
            }
        }

        @Override
        public void visitJumpInsn(int opcode, Label label) {
            forget();
        }
    }
}
