package dev.leasehold.cli.internal.run;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.function.Consumer;

/**
 * A signal that this process received, as {@code sun.misc.Signal} reports it: the only way in a JVM to handle a signal
 * without ending. It is used by reflection, because javac's warning about it cannot be switched off.
 *
 * @param name the name without SIG
 * @param number the number on this system
 */
public record Signal(String name, int number) {

    /**
     * Replaces the default action of a signal by a handler. Signals that the JVM reserves keep their action.
     *
     * @param name the name without SIG
     * @param handler receives the signal, on a thread of the JVM
     */
    public static void handle(String name, Consumer<Signal> handler) {
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
                throw new IllegalStateException("cannot handle SIG" + name, e);
            }
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("this JVM has no sun.misc.Signal, so SIG" + name + " cannot be handled", e);
        }
    }
}
