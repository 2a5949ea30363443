package dev.leasehold.architecture.reach.planted;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/** Reaches things by name, without metadata. */
public final class PlantedReflection {
    private volatile int count;

    Object type() throws ReflectiveOperationException {
        return Class.forName("java.util.Optional");
    }

    Object method() throws ReflectiveOperationException {
        return String.class.getMethod("strip").invoke(" ");
    }

    Object constructor(Class<?> type) throws ReflectiveOperationException {
        return type.getDeclaredConstructor(String.class).newInstance("");
    }

    VarHandle field() throws ReflectiveOperationException {
        return MethodHandles.lookup().findVarHandle(java.awt.Point.class, "x", int.class);
    }

    Object updater() {
        return AtomicIntegerFieldUpdater.newUpdater(PlantedReflection.class, "count");
    }

    Object list() {
        return Thread.class.getDeclaredFields();
    }

    Object proxy(Class<?> type) {
        return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, args) -> count);
    }

    Object variable(String name) throws ReflectiveOperationException {
        return Class.forName(name);
    }

    Object loaded(String name) throws ReflectiveOperationException {
        return getClass().getClassLoader().loadClass(name);
    }
}
