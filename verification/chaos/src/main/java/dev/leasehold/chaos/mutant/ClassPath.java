package dev.leasehold.chaos.mutant;

/** The class path of this JVM, for other JVMs with the same. */
public final class ClassPath {

    private ClassPath() {}

    /** Returns the class path in java's format; in a test that of the tests, which Surefire keeps apart. */
    public static String own() {
        String hidden = System.getProperty("surefire.test.class.path");
        return hidden != null ? hidden : System.getProperty("java.class.path");
    }
}
