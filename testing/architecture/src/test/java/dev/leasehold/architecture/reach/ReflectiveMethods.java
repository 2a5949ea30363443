package dev.leasehold.architecture.reach;

import java.util.Set;
import java.util.stream.Stream;

/** The methods of the JDK by which a program reaches a class, a member, a resource or a proxy that no bytecode names. */
final class ReflectiveMethods {
    /** Find a class, by its name. The last is of the core's own interface. */
    static final Set<String> TYPES = Set.of("Class.forName", "Lookup.findClass", "RedisTransportProvider.canLoad");

    /** No library here calls them: a class loader works at run time, and the others need metadata of their own. */
    static final Set<String> UNUSED = Set.of(
            "Class.newInstance",
            "ClassLoader.loadClass",
            "ClassLoader.defineClass",
            "Lookup.defineClass",
            "ObjectInputStream.readObject",
            "ObjectOutputStream.writeObject",
            "ResourceBundle.getBundle",
            "System.load",
            "System.loadLibrary");

    /** Find one member of a class, by its name. */
    static final Set<String> MEMBERS = Set.of(
            "Class.getField",
            "Class.getDeclaredField",
            "Class.getMethod",
            "Class.getDeclaredMethod",
            "Class.getConstructor",
            "Class.getDeclaredConstructor",
            "Lookup.findVirtual",
            "Lookup.findStatic",
            "Lookup.findSpecial",
            "Lookup.findConstructor",
            "Lookup.findGetter",
            "Lookup.findSetter",
            "Lookup.findStaticGetter",
            "Lookup.findStaticSetter",
            "Lookup.findVarHandle",
            "Lookup.findStaticVarHandle",
            "AtomicReferenceFieldUpdater.newUpdater",
            "AtomicIntegerFieldUpdater.newUpdater",
            "AtomicLongFieldUpdater.newUpdater");

    /** List members of a class. An image lists those that are registered. */
    static final Set<String> LISTS = Set.of(
            "Class.getFields",
            "Class.getDeclaredFields",
            "Class.getMethods",
            "Class.getDeclaredMethods",
            "Class.getConstructors",
            "Class.getDeclaredConstructors",
            "Class.getRecordComponents");

    /** Read a resource, by its name. */
    static final Set<String> RESOURCES = Set.of(
            "Class.getResource",
            "Class.getResourceAsStream",
            "ClassLoader.getResource",
            "ClassLoader.getResourceAsStream",
            "ClassLoader.getResources",
            "ClassLoader.resources",
            "Module.getResourceAsStream");

    /** Make a proxy. */
    static final Set<String> PROXIES = Set.of("Proxy.newProxyInstance", "Proxy.getProxyClass");

    /** Find the providers of a service. */
    static final Set<String> SERVICES = Set.of("ServiceLoader.load", "ServiceLoader.loadInstalled");

    private ReflectiveMethods() {}

    /** Returns whether the metadata is compared with the calls of this method, such as {@code Class.forName}, in class files. */
    static boolean isScanned(String method) {
        return Stream.of(TYPES, UNUSED, MEMBERS, LISTS, RESOURCES, PROXIES, SERVICES)
                .anyMatch(methods -> methods.contains(method));
    }
}
