package dev.leasehold.architecture.reach;

import java.util.Set;

/** The methods of the JDK by which a program reaches a class, a member, a resource or a proxy that no bytecode names. */
final class ReflectiveMethods {
    /**
     * Find a class, by its name. The last is of the core's own interface. {@code ClassLoader.loadClass}, which the JVM itself calls to
     * link classes, is below.
     */
    static final Set<String> TYPES = Set.of("Class.forName", "Lookup.findClass", "RedisTransportProvider.canLoad");

    /** No library here calls them: the first needs a class loader at run time, the others metadata of their own. */
    static final Set<String> UNUSED = Set.of(
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

    /** Use a member that was found. */
    static final Set<String> USES = Set.of(
            "Class.newInstance",
            "Method.invoke",
            "Constructor.newInstance",
            "Field.get",
            "Field.getBoolean",
            "Field.getInt",
            "Field.getLong",
            "Field.set",
            "Field.setBoolean",
            "Field.setInt",
            "Field.setLong");

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

    /** Returns whether a run records calls of this method, such as {@code Class.forName}. */
    static boolean isRecorded(String method) {
        return TYPES.contains(method)
                || MEMBERS.contains(method)
                || LISTS.contains(method)
                || USES.contains(method)
                || RESOURCES.contains(method)
                || PROXIES.contains(method);
    }

    /** Returns whether the metadata is compared with the calls of this method in class files; a use follows from what found it. */
    static boolean isScanned(String method) {
        return isRecorded(method) && !USES.contains(method) || SERVICES.contains(method) || UNUSED.contains(method);
    }
}
