package dev.leasehold.testkit;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** The objects of Leasehold that can be reached from one of them, by fields and collections: the number of each class. */
final class ReachableObjects {

    private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Deque<Object> open = new ArrayDeque<>();
    private final Map<String, Integer> numbers = new TreeMap<>();

    private ReachableObjects() {}

    /** Counts objects, and the elements of collections, whatever their class is. The parts of the test kit are left out. */
    static Map<String, Integer> from(Object root) throws IllegalAccessException {
        ReachableObjects reached = new ReachableObjects();
        reached.visit(root);
        for (Object next = reached.open.poll(); next != null; next = reached.open.poll()) {
            reached.follow(next);
        }
        return reached.numbers;
    }

    private void visit(@Nullable Object object) {
        if (object != null && seen.add(object)) {
            open.add(object);
        }
    }

    private void count(String what, int number) {
        numbers.merge(what, number, Integer::sum);
    }

    private void follow(Object object) throws IllegalAccessException {
        if (object instanceof Map<?, ?> map) {
            count("elements of maps", map.size());
            map.keySet().forEach(this::visit);
            map.values().forEach(this::visit);
        } else if (object instanceof Collection<?> collection) {
            count("elements of collections", collection.size());
            collection.forEach(this::visit);
        } else if (object instanceof Object[] array) {
            Arrays.stream(array).forEach(this::visit);
        } else if (object instanceof AtomicReference<?> reference) {
            visit(reference.get());
        } else if (object instanceof AtomicReferenceArray<?> array) {
            for (int i = 0; i < array.length(); i++) {
                visit(array.get(i));
            }
        } else if (isOurs(object.getClass())) {
            count(object.getClass().getName().replaceFirst("\\$\\$Lambda.*", " as a lambda"), 1);
            followFields(object);
        }
    }

    private static boolean isOurs(Class<?> type) {
        return type.getName().startsWith("dev.leasehold.")
                && !type.getPackageName().startsWith("dev.leasehold.testkit");
    }

    private void followFields(Object object) throws IllegalAccessException {
        for (Class<?> type = object.getClass(); type != null && isOurs(type); type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers()) && !field.getType().isPrimitive()) {
                    field.setAccessible(true);
                    visit(field.get(object));
                }
            }
        }
    }
}
