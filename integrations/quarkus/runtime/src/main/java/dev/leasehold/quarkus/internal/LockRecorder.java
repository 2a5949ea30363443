package dev.leasehold.quarkus.internal;

import dev.leasehold.annotation.LockSetupException;
import dev.leasehold.annotation.LockedMethod;
import io.quarkus.arc.Arc;
import io.quarkus.runtime.annotations.Recorder;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;

/** Checks at startup what the build cannot know: the values of placeholders, and the executors. */
@Recorder
public class LockRecorder {

    /** Created by Quarkus. */
    public LockRecorder() {}

    /**
     * Reads the methods with locks.
     *
     * @param types the classes of beans that have such methods
     * @throws LockSetupException if a method cannot work
     */
    public void check(List<Class<?>> types) {
        LockedMethods methods = Arc.container().instance(LockedMethods.class).get();
        LockCalls calls = Arc.container().instance(LockCalls.class).get();
        List<String> problems = new ArrayList<>();
        for (Class<?> type : types) {
            for (Class<?> c = type; c != null; c = c.getSuperclass()) {
                for (Method method : c.getDeclaredMethods()) {
                    if (!method.isBridge() && Annotations.find(method).isPresent()) {
                        problems.addAll(problems(methods, calls, method, type));
                    }
                }
            }
        }
        if (!problems.isEmpty()) {
            throw new LockSetupException(problems);
        }
    }

    private static List<String> problems(LockedMethods methods, LockCalls calls, Method method, Class<?> type) {
        try {
            LockedMethod read = methods.of(method, type);
            String executor = read.executor();
            if (executor != null) {
                calls.executor(executor);
            }
            return List.of();
        } catch (LockSetupException e) {
            return e.problems();
        } catch (IllegalArgumentException e) {
            return List.of(type.getSimpleName() + "." + method.getName() + " cannot work: " + e.getMessage());
        }
    }
}
