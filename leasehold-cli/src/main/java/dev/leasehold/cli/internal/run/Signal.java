package dev.leasehold.cli.internal.run;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.function.Consumer;

/**
 * A signal that this process got, as {@code sun.misc.Signal} tells it: the only way in a JVM to hear a signal without
 * ending. Used by reflection, as javac warns of it in a way that cannot be switched off.
 *
 * @param name the name without SIG
 * @param number the number on this system
 */
record Signal(String name, int number) {

    /** Hears a signal from now on, instead of what it does by default; unless the JVM keeps it for itself. */
    static void hear(String name, Consumer<Signal> handler) {
        try {
            Class<?> type = Class.forName("sun.misc.Signal");
            Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
            Object proxy = Proxy.newProxyInstance(
                    Signal.class.getClassLoader(), new Class<?>[] {handlerType}, (self, method, args) -> {
                        int number = (int) type.getMethod("getNumber").invoke(args[0]);
                        handler.accept(new Signal(name, number));
                        return null;
                    });
            Object signal = type.getConstructor(String.class).newInstance(name);
            type.getMethod("handle", type, handlerType).invoke(null, signal, proxy);
        } catch (InvocationTargetException e) {
            if (!(e.getCause() instanceof IllegalArgumentException)) {
                throw new IllegalStateException("cannot hear SIG" + name, e);
            }
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("this JVM has no sun.misc.Signal, so SIG" + name + " cannot be heard", e);
        }
    }
}
