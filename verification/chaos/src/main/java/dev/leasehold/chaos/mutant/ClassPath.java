package dev.leasehold.chaos.mutant;

/** The class path of this JVM, for others that are to have the same. */
public final class ClassPath {

    private ClassPath() {}

    /** As java takes it; in a test that of the tests, which surefire keeps apart. */
    public static String own() {
        String hidden = System.getProperty("surefire.test.class.path");
        return hidden != null ? hidden : System.getProperty("java.class.path");
    }
}
