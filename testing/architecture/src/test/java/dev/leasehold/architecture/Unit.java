package dev.leasehold.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import java.util.Arrays;

/**
 * One compiled class and its role in the repository.
 *
 * @param javaClass the class, read from its class file
 * @param module the directory of its module, relative to the repository's root
 * @param test whether it is compiled from the module's test sources
 */
record Unit(JavaClass javaClass, String module, boolean test) {
    static final String CORE = "leasehold-core";

    String name() {
        return javaClass.getName();
    }

    boolean main() {
        return !test;
    }

    boolean core() {
        return main() && module.equals(CORE);
    }

    /**
     * Returns whether it belongs to the core or to a library for applications: all published modules except tools
     * and test aids.
     */
    boolean engine() {
        return main()
                && published()
                && !module.equals("leasehold-testkit")
                && !module.equals("leasehold-tck")
                && !commandLine();
    }

    boolean published() {
        return module.startsWith("leasehold-");
    }

    boolean commandLine() {
        return module.equals("leasehold-cli");
    }

    /** Returns whether it runs as a test: test sources, and the contracts that the TCK publishes. */
    boolean testing() {
        return test || module.equals("leasehold-tck");
    }

    boolean internal() {
        return isInternal(javaClass.getPackageName());
    }

    static boolean isInternal(String packageName) {
        return Arrays.asList(packageName.split("\\.")).contains("internal");
    }
}
